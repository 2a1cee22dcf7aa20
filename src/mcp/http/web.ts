import type { Exchange } from '../../http/exchange.ts';
import { requestIdHeader } from '../request-id.ts';

/** A request in the terms of the web, in which the protocol library speaks. */
export function webRequest(exchange: Exchange): Request {
  const { method = 'GET', url = '/', headers: given } = exchange.request;
  const headers: [string, string][] = [[requestIdHeader, exchange.id]];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || !isOfProtocol(name)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    headers.push([name, name === 'accept' ? acceptedOf(text) : text]);
  }
  // The body is read before, and handed on apart from the request.
  const request = new Request(`http://localhost${url}`, { method, headers });
  let signal: AbortSignal | undefined;
  // Given in the usual way, a signal costs as much as all the rest; most requests are answered before anyone asks.
  Object.defineProperty(request, 'signal', { get: () => (signal ??= goneSignal(exchange)) });
  return request;
}

/** The library wants both types by name. Who takes anything, as curl does unless told otherwise, takes these as well. */
function acceptedOf(text: string): string {
  const takesAll = text.split(',').some((type) => type.trim() === '*/*');
  return takesAll ? 'application/json, text/event-stream' : text;
}

const others = new Set(['accept', 'content-type', 'last-event-id']);

/** The rest has been looked at before, or is nobody's business: each one that is handed on is checked and copied. */
function isOfProtocol(name: string): boolean {
  return name.startsWith('mcp-') || others.has(name);
}

/** A client that goes away takes its request along; one that has its answer leaves nothing to be stopped. */
function goneSignal({ response }: Exchange): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Sends an answer of the library's; resolves when a stream has ended. */
export async function sendWebResponse({ response }: Exchange, answer: Response): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else if (isStream(answer)) await stream(response, answer.body.getReader());
  else response.end(Buffer.from(await answer.arrayBuffer()));
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** So long the head of a stream waits for its first event: most have one at once, and then both go out together. */
const headMs = 20;

async function stream(response: Exchange['response'], reader: Reader): Promise<void> {
  const stop = (): void => void reader.cancel().catch(() => {});
  const head = setTimeout(() => response.flushHeaders(), headMs);
  response.once('close', stop);
  for (let part = await reader.read(); !part.done && !response.destroyed; part = await reader.read()) {
    clearTimeout(head);
    await write(response, part.value);
  }
  clearTimeout(head);
  response.off('close', stop);
  response.end();
}

/**
 * Corks the socket for one turn, so that the last event goes out in one packet with the end of the response. The response itself
 * must not be corked: from Node 22 on, ending it then sends the last chunk before the corked ones, and clients see an empty body.
 */
async function write(response: Exchange['response'], bytes: Uint8Array): Promise<void> {
  const { socket } = response;
  socket?.cork();
  setImmediate(() => socket?.uncork());
  if (!response.write(bytes) && !response.destroyed) await drained(response);
}

/** A client that leaves while it is behind takes nothing more; that is the end of the wait as well. */
function drained(response: Exchange['response']): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
