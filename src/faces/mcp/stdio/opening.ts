import { type Era, isRecord, legacyRevisions, type Message, modernRevision } from '../protocol/messages.ts';
import type { Service } from '../service.ts';
import { capabilities } from '../surface.ts';
import { listTools } from '../tools/list.ts';

/**
 * The first requests of nearly every connection, answered before the protocol library is loaded: that takes three times
 * the CPU of a bare start of Node, and a client that waits at its own start feels every bit of it. Only requests that
 * are beyond doubt are answered here, and exactly as the library would, which a test compares; all else is left to it.
 */
export interface Opening {
  /** The result of a request, or undefined where the library must answer. */
  answer(message: Message): Promise<object> | object | undefined;
  /** Messages that the library must be given when it takes over. */
  readonly replay: readonly Message[];
  /** Whether a client of the handshake era has said that it is ready. */
  readonly isInitialized: boolean;
}

const prefix = 'io.modelcontextprotocol/';
const handshake = new Set(['initialize', 'notifications/initialized']);

export function createOpening(service: Service): Opening {
  const replay: Message[] = [];
  /** The era that the first request has chosen for good. */
  let chosen: Era | undefined;
  let isInitialized = false;
  let revision: string | undefined;

  const legacy: Readonly<Record<string, (message: Message) => object | Promise<object> | undefined>> = {
    initialize(message) {
      const asked = message.params?.['protocolVersion'];
      if (revision !== undefined || !isHandshake(message.params)) return undefined;
      revision = legacyRevisions.find((one) => one === asked) ?? legacyRevisions[0];
      const { name, version } = service;
      return withInstructions({ protocolVersion: revision, capabilities, serverInfo: { name, version } });
    },
    'notifications/initialized'() {
      if (revision === undefined) return undefined;
      isInitialized = true;
      return {};
    },
    ping: () => ({}),
    'tools/list': ({ params }) => (params === undefined || Object.keys(params).length === 0 ? tools() : undefined),
  };

  const modern: Readonly<Record<string, () => object | Promise<object>>> = {
    'server/discover': () => withInstructions({ supportedVersions: [modernRevision], capabilities }),
    'tools/list': tools,
  };

  async function withInstructions(result: object): Promise<object> {
    return { ...result, instructions: await service.instructions() };
  }

  async function tools(): Promise<object> {
    return { tools: listTools(service, (await service.listingText()).description) };
  }

  return {
    replay,
    get isInitialized() {
      return isInitialized;
    },
    answer(message) {
      const { id, method = '', params } = message;
      const era = eraOf(params);
      if (era === undefined || (chosen ?? era) !== era) return undefined;
      if ((id === undefined) !== method.startsWith('notifications/')) return undefined;
      const answer = era === 'legacy' ? legacyAnswer(method, message) : modernAnswer(method, params);
      // A client that discovers the server has chosen nothing yet.
      if (answer === undefined || method === 'server/discover') return answer;
      if (chosen === undefined || handshake.has(method)) replay.push(message);
      chosen = era;
      return answer;
    },
  };

  function legacyAnswer(method: string, message: Message): object | Promise<object> | undefined {
    return Object.hasOwn(legacy, method) ? legacy[method]?.(message) : undefined;
  }

  function modernAnswer(method: string, params: Message['params']): Promise<object> | undefined {
    if (!Object.hasOwn(modern, method) || Object.keys(params ?? {}).length > 1) return undefined;
    return stamped(modern[method]?.() as object | Promise<object>);
  }

  async function stamped(result: object | Promise<object>): Promise<object> {
    const { name, version } = service;
    const serverInfo = { [`${prefix}serverInfo`]: { name, version } };
    return { ...(await result), resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: serverInfo };
  }
}

/** The era a request belongs to, by its parameters; undefined where that takes a closer look. */
function eraOf(params: Message['params']): Era | undefined {
  const meta = params?.['_meta'];
  if (meta === undefined) return 'legacy';
  if (!isRecord(meta)) return undefined;
  const claims = Object.keys(meta).filter((key) => key.startsWith(prefix));
  if (claims.length === 0) return undefined;
  const clientInfo = meta[`${prefix}clientInfo`];
  const isPlain =
    meta[`${prefix}protocolVersion`] === modernRevision &&
    isCapabilities(meta[`${prefix}clientCapabilities`]) &&
    (clientInfo === undefined || isClientInfo(clientInfo)) &&
    isProgressToken(meta['progressToken']) &&
    claims.every((claim) => known.has(claim));
  return isPlain ? 'modern' : undefined;
}

const known = new Set(['protocolVersion', 'clientCapabilities', 'clientInfo'].map((name) => prefix + name));

function isProgressToken(value: unknown): boolean {
  return value === undefined || typeof value === 'string' || Number.isSafeInteger(value);
}

function isHandshake(params: Message['params']): boolean {
  return (
    typeof params?.['protocolVersion'] === 'string' &&
    isCapabilities(params['capabilities']) &&
    isClientInfo(params['clientInfo'])
  );
}

function isClientInfo(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.values(value).every((one) => typeof one === 'string') &&
    !('icons' in value) &&
    !!value['name'] &&
    'version' in value
  );
}

/** Whether these are common capabilities: each empty, or with features that are empty. */
function isCapabilities(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([name, one]) => isRecord(one) && (shapes.get(name) ?? isBare)(one));
}

type Shape = (capability: Readonly<Record<string, unknown>>) => boolean;

const isBare: Shape = (capability) =>
  Object.values(capability).every((feature) => isRecord(feature) && Object.keys(feature).length === 0);
const isNested: Shape = (capability) => Object.values(capability).every(isRecord);

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['roots', ({ listChanged, ...rest }) => ['undefined', 'boolean'].includes(typeof listChanged) && isBare(rest)],
  ['extensions', isNested],
  ['experimental', isNested],
]);
