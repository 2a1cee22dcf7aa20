/** A message as it goes over the wire. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

export type RequestId = string | number;

/** The content of a line: messages, one or in a batch, or the answer to something that is not a message. */
export type Reading =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'batch'; readonly items: readonly unknown[] }
  | { readonly kind: 'refused'; readonly answer: object };

/** Reads a line of input. */
export function readLine(line: Buffer): Reading {
  let value: unknown;
  try {
    value = JSON.parse(textOf(line));
  } catch (error) {
    return refused(null, codes.parseError, `Parse error: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
  return Array.isArray(value) ? { kind: 'batch', items: value } : readMessage(value);
}

/** Decodes UTF-8; other bytes are no JSON, whatever could be made of them. */
export function textOf(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Reads a single value: a message reduced to its known fields, or none. */
export function readMessage(value: unknown): Reading {
  if (!isRecord(value)) return invalid(null, 'a message must be an object');
  const { jsonrpc, id, method, params, result, error } = value;
  const known = isRequestId(id) ? id : null;
  if (jsonrpc !== '2.0') return invalid(known, '`jsonrpc` must be "2.0"');
  if ('id' in value && known === null && error === undefined) {
    return invalid(null, '`id` must be a string or a whole number');
  }
  if (method === undefined) {
    const isResponse = known !== null && (result === undefined) !== (error === undefined);
    return isResponse ? { kind: 'message', message: value as never } : invalid(known, '`method` is missing');
  }
  if (typeof method !== 'string') return invalid(known, '`method` must be a string');
  if (params !== undefined && !isRecord(params)) return invalid(known, '`params` must be an object');
  // Known fields only: an extra field of a client must not make a good request unreadable further in.
  const message = {
    jsonrpc,
    ...(known === null ? {} : { id: known }),
    method,
    ...(params === undefined ? {} : { params }),
  } as const;
  return { kind: 'message', message };
}

/** Whether an answer is expected. */
export function isRequest(message: Message): message is Message & { id: RequestId; method: string } {
  return message.id !== undefined && message.method !== undefined;
}

export function errorAnswer(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function invalid(id: RequestId | null, why: string): Reading {
  return refused(id, codes.invalidRequest, `Invalid request: ${why}`);
}

function refused(id: RequestId | null, code: number, message: string): Reading {
  return { kind: 'refused', answer: errorAnswer(id, code, message) };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** Error codes of JSON-RPC, and those that MCP servers have added. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  refused: -32000,
  sessionNotFound: -32001,
} as const;

/** Revisions that have batches; later ones dropped them. */
const batchRevisions = new Set(['2024-10-07', '2024-11-05', '2025-03-26']);

const most = 100;

/** The reason why a batch of this many messages is refused as a whole, if it is. */
export function batchProblem(length: number, revision: string | undefined): string | null {
  if (revision !== undefined && !batchRevisions.has(revision)) return `revision ${revision} has no batches`;
  if (length === 0) return 'the batch is empty';
  return length > most ? `a batch may hold ${most} messages, not ${length}` : null;
}

/** The two eras of the protocol: with a handshake that opens a session, and without, every request standing alone. */
export type Era = 'legacy' | 'modern';

/** Revisions of the handshake era, newest first. */
export const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
/** The first revision without a handshake. */
export const modernRevision = '2026-07-28';
