import fc from 'fast-check';
import { modernMeta } from '../support/mcp.ts';

/** A message without its id. `silent` makes it a notification. */
export interface Said {
  readonly method: string;
  readonly params?: unknown;
  readonly silent?: true;
}

const prefix = 'io.modelcontextprotocol/';
const client = { name: 'client', version: '1.0.0' };

export function hello(protocolVersion: unknown, more: object = {}): Said {
  return { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: client, ...more } };
}

/** A request of the newer era. */
function modern(method: string, meta: object = {}, params: object = {}): Said {
  return { method, params: { ...params, _meta: { ...modernMeta._meta, ...meta } } };
}

const ready: Said = { method: 'notifications/initialized', silent: true };
const ping: Said = { method: 'ping' };
const tools: Said = { method: 'tools/list' };
const discover = modern('server/discover');
const modernTools = modern('tools/list');
const able = (capabilities: unknown): Said[] => [hello('2025-11-25', { capabilities }), tools];
const named = (clientInfo: unknown): Said[] => [hello('2025-11-25', { clientInfo }), tools];
const modernAble = (capabilities: unknown): Said[] => [
  modern('server/discover', { [`${prefix}clientCapabilities`]: capabilities }),
];
const modernNamed = (clientInfo: unknown): Said[] => [
  modern('server/discover', { [`${prefix}clientInfo`]: clientInfo }),
];

const capabilities: Readonly<Record<string, unknown>> = {
  'of every kind': {
    roots: { listChanged: true },
    sampling: { tools: {}, context: {} },
    elicitation: { form: {}, url: {} },
    experimental: { x: { y: { z: 1 } } },
    extensions: { 'io.modelcontextprotocol/skills': { deep: [{ er: true }] } },
    tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
  },
  'with defaults': { elicitation: { form: { applyDefaults: true } } },
  'with a wrong switch': { roots: { listChanged: 'yes' } },
  'with null for a switch': { roots: { listChanged: null } },
  'with a switch for an object': { roots: true },
  'with a wrong feature': { sampling: { tools: 5 } },
  'with a wrong default': { elicitation: { form: { applyDefaults: 'x' } } },
  'with wrong tasks': { tasks: { list: 5 } },
  'with a wrong experiment': { experimental: { x: 5 } },
  'with a wrong extension': { extensions: { x: 5 } },
  'that nobody knows': { foo: { bar: 5 } },
  'named as what every object has': { toString: { a: {} }, constructor: {} },
  'of the wrong type': [],
};

const infos: Readonly<Record<string, unknown>> = {
  'with a title and icons': {
    ...client,
    title: 'Client',
    description: 'A client',
    websiteUrl: 'https://example.com',
    icons: [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'] }],
  },
  'with a title': { ...client, title: 'Client' },
  'with wrong icons': { ...client, icons: 'none' },
  'with an empty name': { name: '', version: '' },
  'with an empty version': { name: 'x', version: '' },
  'without a version': { name: 'x' },
  'with a number for a version': { name: 'x', version: 1 },
  'with a website that is none': { ...client, websiteUrl: 'nowhere' },
  'with more than is known': { ...client, foo: 'bar', baz: 5 },
};

const tabled = (start: string, table: Readonly<Record<string, unknown>>, make: (value: unknown) => Said[]) =>
  Object.fromEntries(Object.entries(table).map(([title, value]) => [`${start} ${title}`, make(value)]));

/** Ways to open a connection: usual, odd, and wrong. */
export const openings: Readonly<Record<string, readonly Said[]>> = {
  ...Object.fromEntries(
    ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01', 'draft', ''].map(
      (revision) => [`a handshake for '${revision}'`, [hello(revision), ready, ping, tools, { ...tools, params: {} }]],
    ),
  ),
  'a handshake for a number': [hello(5)],
  'a handshake without parameters': [{ method: 'initialize' }],
  'a handshake without capabilities': [hello('2025-11-25', { capabilities: undefined })],
  'a handshake with more parameters': [hello('2025-11-25', { foo: 1, task: { ttl: 5 } }), tools],
  'a handshake with a progress token': [hello('2025-11-25', { _meta: { progressToken: 'p' } }), tools],
  'a handshake with a wrong progress token': [hello('2025-11-25', { _meta: { progressToken: {} } }), tools],
  'a handshake with a text for _meta': [hello('2025-11-25', { _meta: 'x' })],
  'a handshake that claims the newer era': [hello('2025-11-25', modernMeta), tools],
  'a handshake that claims an older era': [
    hello('2025-11-25', { _meta: { ...modernMeta._meta, [`${prefix}protocolVersion`]: '2025-11-25' } }),
  ],
  ...tabled('a handshake with capabilities', capabilities, able),
  ...tabled('a handshake of a client', infos, named),
  'two handshakes': [hello('2025-06-18'), ready, hello('2024-11-05'), tools],
  'a handshake without an id': [{ ...hello('2025-11-25'), silent: true }, hello('2025-06-18')],
  'readiness as a request': [hello('2025-11-25'), { method: 'notifications/initialized' }, ping],
  'readiness before the handshake': [ready, hello('2025-11-25'), ping],
  'readiness twice': [hello('2025-11-25'), ready, ready, { method: 'prompts/list' }],
  'pings with all kinds of parameters': [
    ping,
    { ...ping, params: {} },
    { ...ping, params: { x: 1 } },
    { ...ping, params: { _meta: { progressToken: 1 } } },
    { ...ping, params: { _meta: { progressToken: {} } } },
    { ...ping, params: { _meta: 5 } },
    modern('ping'),
  ],
  'tools before the handshake': [tools, hello('2025-06-18'), ready, tools],
  'tools with a cursor': ['x', 5, null].map((cursor) => ({ ...tools, params: { cursor } })),
  'tools with _meta': [{}, { progressToken: 'a' }, { foo: 1 }].map((_meta) => ({ ...tools, params: { _meta } })),
  'tools without an id': [{ ...tools, silent: true }, ping],
  'the newer era': [discover, discover, modernTools, modernTools, modern('prompts/list')],
  'the newer era without discovery': [modernTools, discover],
  'the newer era with more parameters': [
    modern('server/discover', {}, { x: 1 }),
    modern('tools/list', {}, { x: 1 }),
    modern('tools/list', {}, { cursor: 'x' }),
  ],
  'the newer era with more in _meta': [
    modern('server/discover', { progressToken: 'p' }),
    modern('tools/list', { progressToken: 4, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    modern('tools/list', { progressToken: {} }),
    modern('tools/list', { traceparent: 5, 'com.example/x': { a: 1 } }),
    modern('tools/list', { [`${prefix}logLevel`]: 'debug' }),
    modern('tools/list', { [`${prefix}logLevel`]: 5 }),
  ],
  'the newer era without capabilities': [
    { method: 'server/discover', params: { _meta: { [`${prefix}protocolVersion`]: '2026-07-28' } } },
  ],
  'the newer era without a name': [modern('server/discover', { [`${prefix}clientInfo`]: undefined })],
  'a revision to come': [modern('server/discover', { [`${prefix}protocolVersion`]: '2099-01-01' })],
  'an older revision in the newer era': [modern('server/discover', { [`${prefix}protocolVersion`]: '2025-11-25' })],
  ...tabled('discovery with capabilities', capabilities, modernAble),
  ...tabled('discovery by a client', infos, modernNamed),
  'discovery without what it needs': [{ method: 'server/discover' }, { method: 'server/discover', params: {} }],
  'discovery and then a handshake': [discover, hello('2025-06-18'), ready, tools],
  'discovery and then older requests': [discover, ping, discover, tools],
  'the newer era and then a handshake': [discover, modernTools, hello('2025-06-18')],
  'the newer era and then older requests': [modernTools, tools, ping],
  'an older request and then the newer era': [ping, discover, modernTools],
  'a handshake and then the newer era': [hello('2025-06-18'), ready, modernTools, discover, tools],
  'methods that nobody knows': ['nope', 'toString', 'constructor', '__proto__', ''].map((method) => ({ method })),
  'a cancellation of nothing': [
    { method: 'notifications/cancelled', params: { requestId: 77 }, silent: true },
    discover,
    ping,
  ],
  'a log level': [hello('2025-11-25'), { method: 'logging/setLevel', params: { level: 'debug' } }],
};

const junk = fc.constantFrom<unknown>(null, true, 5, 'text', {}, [], { a: 1 }, { a: {} });
const mostly = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: junk });
const some = (fields: Record<string, fc.Arbitrary<unknown>>, ...requiredKeys: string[]) =>
  fc.record(fields, { requiredKeys }) as fc.Arbitrary<unknown>;
const empty = mostly(fc.constant({}));
const flag = mostly(fc.boolean());
const word = (...words: string[]) => mostly(fc.constantFrom(...words));

const anyCapabilities = some({
  roots: mostly(some({ listChanged: flag })),
  sampling: mostly(some({ tools: empty, context: empty })),
  elicitation: mostly(some({ form: mostly(some({ applyDefaults: flag })), url: empty })),
  experimental: mostly(some({ x: junk })),
  extensions: mostly(some({ x: junk })),
  tasks: mostly(some({ list: empty, cancel: empty, requests: junk })),
  other: junk,
});
const anyInfo = some(
  { name: word('c'), version: word('1'), title: word('T'), icons: junk, websiteUrl: word('https://x'), x: junk },
  'name',
  'version',
);
const olderMeta = some({ progressToken: word('p'), 'com.example/x': junk, [`${prefix}related-task`]: junk });
const newerMeta = some(
  {
    [`${prefix}protocolVersion`]: word('2026-07-28', '2026-07-28', '2025-11-25'),
    [`${prefix}clientCapabilities`]: mostly(anyCapabilities),
    [`${prefix}clientInfo`]: mostly(anyInfo),
    [`${prefix}logLevel`]: word('debug'),
    [`${prefix}x`]: junk,
    progressToken: mostly(fc.constant(4)),
    traceparent: junk,
  },
  `${prefix}protocolVersion`,
  `${prefix}clientCapabilities`,
);
const anyMeta = fc.oneof(mostly(olderMeta), mostly(newerMeta), newerMeta);
const anyParams = fc.oneof(
  fc.constantFrom(undefined, {}),
  some({ _meta: anyMeta, cursor: word('c'), x: junk }),
  some({ _meta: newerMeta }, '_meta'),
);
const anyHello = some(
  {
    protocolVersion: word('2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', 'x'),
    capabilities: mostly(anyCapabilities),
    clientInfo: mostly(anyInfo),
    _meta: anyMeta,
    x: junk,
  },
  'protocolVersion',
  'capabilities',
  'clientInfo',
);
const methods = [
  'ping',
  'tools/list',
  'server/discover',
  'initialize',
  'prompts/list',
  'notifications/initialized',
  'no',
];
const notes = ['notifications/initialized', 'notifications/cancelled', 'initialize', 'tools/list'];

/** Any sequence of messages at all. */
export const anyOpening: fc.Arbitrary<Said[]> = fc.array(
  fc.oneof(
    anyHello.map((params) => ({ method: 'initialize', params })),
    fc.record({ method: fc.constantFrom(...methods), params: anyParams }),
    fc.record({
      method: fc.constantFrom(...notes),
      params: fc.constantFrom(undefined, {}, { requestId: 99 }),
      silent: fc.constant(true as const),
    }),
  ),
  { minLength: 1, maxLength: 6 },
);
