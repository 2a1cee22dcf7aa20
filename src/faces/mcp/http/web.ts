import type { Exchange } from '../../http/exchange.ts';
import { requestIdHeader } from '../protocol/request-id.ts';

/** Converts a request to the Fetch API's `Request`, which the protocol library takes. */
export function webRequest(exchange: Exchange): Request {
  const { method = 'GET', url = '/', headers: given } = exchange.request;
  const headers: [string, string][] = [[requestIdHeader, exchange.id]];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || !isOfProtocol(name)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    headers.push([name, name === 'accept' ? acceptedOf(text) : text]);
  }
  // The body has been read already, and is passed on apart from the request.
  const request = new Request(`http://localhost${url}`, { method, headers });
  let signal: AbortSignal | undefined;
  // Given in the usual way, a signal costs as much as all the rest; most requests are answered before it is read.
  Object.defineProperty(request, 'signal', { get: () => (signal ??= goneSignal(exchange)) });
  return request;
}

/**
 * The `Accept` header for the library, which wants both types by name. A client that accepts anything, as curl does by
 * default, accepts these as well.
 */
function acceptedOf(text: string): string {
  const takesAll = text.split(',').some((type) => type.trim() === '*/*');
  return takesAll ? 'application/json, text/event-stream' : text;
}

const others = new Set(['accept', 'content-type', 'last-event-id', 'traceparent', 'tracestate']);

/**
 * Whether the library needs a header. The rest was checked before or is private, and each one passed on is checked and
 * copied.
 */
function isOfProtocol(name: string): boolean {
  return name.startsWith('mcp-') || others.has(name);
}

/** A signal aborted when the client goes away before its answer is complete. */
function goneSignal({ response }: Exchange): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

type Answer = Exchange['response'];

/**
 * Sends a response of the library; resolves when a stream has ended. The head of an answer goes out with its first event: when
 * this server dies before, a balancer can still say so, whereas many clients wait for ever on a stream that has begun.
 */
export async function sendWebResponse(
  { request, response }: Exchange,
  answer: Response,
  naming?: Naming,
): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  response.writeHead(...headOf(answer));
  if (answer.body === null) response.end();
  else if (isStream(answer)) {
    if (request.method === 'GET') response.flushHeaders(); // it may be long before there is anything to tell
    await copyStream(response, answer.body, naming);
    response.end();
  } else response.end(Buffer.from(await answer.arrayBuffer()));
}

/** Status and headers without the library's `Connection`: the client may have asked for it to be closed. */
export function headOf({ status, headers }: Response): [number, Record<string, string>] {
  return [status, Object.fromEntries([...headers].filter(([name]) => name !== 'connection'))];
}

export function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** An id for the first progress of an answer, and what is done when that goes out. */
export interface Naming {
  readonly id: string;
  begun(): void;
}

/** Bytes at the beginning of an event within which its method stands. */
const headBytes = 120;

function isProgress(event: Uint8Array): boolean {
  const head = Buffer.from(event.buffer, event.byteOffset, Math.min(headBytes, event.length));
  return head.subarray(0, 6).equals(eventStart) && head.includes('"method":"notifications/progress"');
}

const eventStart = Buffer.from('event:');

/**
 * Writes the chunks of a stream. It does not wait for the client: the library makes events as they happen, and
 * unwritten ones would pile up in there, where their size cannot be seen.
 */
export async function copyStream(response: Answer, body: ReadableStream<Uint8Array>, naming?: Naming): Promise<void> {
  let unnamed = naming;
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => {});
  response.once('close', stop);
  for (let part = await reader.read(); !part.done && !response.destroyed; part = await reader.read()) {
    if (unnamed !== undefined && isProgress(part.value)) {
      unnamed.begun();
      write(response, Buffer.concat([Buffer.from(`id: ${unnamed.id}\n`), part.value]));
      unnamed = undefined;
    } else write(response, part.value);
  }
  response.off('close', stop);
}

/**
 * Corks the socket for one turn, so that the last event goes out in one packet with the end of the response. The
 * response itself must not be corked: from Node 22 on, ending it then sends the last chunk before the corked ones, and
 * clients see an empty body.
 */
function write(response: Answer, bytes: Uint8Array): void {
  const { socket } = response;
  socket?.cork();
  setImmediate(() => socket?.uncork());
  response.write(bytes);
}

/** Resolves when the client has taken most of what was written; one that leaves takes nothing more. */
export function drained(response: Answer): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
