/** A source of numbers that gives the same ones every time: a failure can be seen again. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)] as never };
}

export interface Random {
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
}

const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/directory/read',
  'skills/list',
  'skills/get',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'logging/setLevel',
  'roots/list',
  'constructor',
  '__proto__',
  '',
];

const strings = [
  'pdf',
  '',
  '..',
  '../../etc/passwd',
  'skill://claude/pdf/SKILL.md',
  '\u0000',
  '\ud800',
  '✓',
  'a'.repeat(5000),
];

/** A value of any kind, as deep as asked for. */
function anyValue(random: Random, depth: number): unknown {
  const kinds = [
    () => null,
    () => true,
    () => random.below(1000) - 500,
    () => 1e308 * (random.below(3) - 1),
    () => random.pick(strings),
    () => Array.from({ length: random.below(4) }, () => anyValue(random, depth - 1)),
    () => ({ [random.pick(['name', 'uri', 'cursor', '_meta', '__proto__', 'x'])]: anyValue(random, depth - 1) }),
  ];
  return kinds[random.below(depth > 0 ? kinds.length : 5)]?.();
}

function goodParams(random: Random): Record<string, unknown> {
  return {
    name: random.pick(['skill', 'skills.list', 'skills_search', 'pdf', 'nope']),
    arguments: { name: random.pick(strings), query: 'pdf', file: random.pick(strings) },
    uri: random.pick(strings),
    cursor: random.pick(strings),
    protocolVersion: random.pick(['2025-11-25', '2024-11-05', '1999-01-01', '']),
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
    ref: { type: 'ref/prompt', name: 'pdf' },
    argument: { name: 'arguments', value: '' },
    requestId: random.below(100),
    progressToken: 1,
    progress: 1,
  };
}

/** A message that is right in all but a few places, or altogether. */
function message(random: Random, id: number): Record<string, unknown> {
  const params = goodParams(random);
  for (let changes = random.below(4); changes > 0; changes--) {
    params[random.pick(Object.keys(params))] = anyValue(random, 3);
  }
  const frame: Record<string, unknown> = { jsonrpc: '2.0', id: `f${id}`, method: random.pick(methods), params };
  if (random.below(5) === 0) delete frame['id'];
  if (random.below(4) === 0) frame[random.pick(['jsonrpc', 'id', 'method', 'params', 'extra'])] = anyValue(random, 3);
  return frame;
}

/** Bytes changed, cut out or doubled in a text that was JSON. */
function mangled(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  for (let changes = 1 + random.below(6); changes > 0 && bytes.length > 0; changes--) {
    bytes[random.below(bytes.length)] = random.pick([0, 34, 44, 91, 92, 123, 125, 0xc3, 0xff, random.below(256)]);
  }
  return random.below(3) === 0 ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}

const makers: readonly ((random: Random, id: number) => string | Buffer)[] = [
  (random, id) => JSON.stringify(message(random, id)),
  (random, id) => mangled(random, JSON.stringify(message(random, id))),
  (random, id) => JSON.stringify(Array.from({ length: random.below(5) }, () => message(random, id))),
  (random) => Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256))),
  (random) => JSON.stringify(anyValue(random, 5)) ?? '',
  (random) => random.pick(['[', '{"a":', '{"jsonrpc":"2.0","id":1,"params":[']).repeat(1 + random.below(300)),
  (random) =>
    random.pick(['', ' ', '\r', '\ufeff', 'null', '""', '0', '-', 'NaN', 'undefined', '{}', '[]', '[[]]', '[1,2]']),
];

/** One line of garbage, or of something close to sense. It never holds a line feed of its own. */
export function frame(random: Random, id: number): Buffer {
  // Most real trouble is close to sense: that kind comes three times as often.
  const maker = random.pick([makers[0], makers[0], makers[1], ...makers]) as (typeof makers)[number];
  const made = maker(random, id);
  const bytes = Buffer.from(made as Buffer);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 10) bytes[at] = 32;
  // `shutdown` is a request that works.
  return bytes.includes('shutdown') ? Buffer.from('{}') : bytes;
}
