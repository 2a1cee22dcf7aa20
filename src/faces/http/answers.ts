import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from './exchange.ts';

const lingerMs = 1000;
const lingerBytes = 8 * 1024 * 1024;

/**
 * Reads and drops the rest of a request, for a moment and up to a size: honest clients stop by then, others are cut
 * off. Closing a connection while the client still sends makes its system throw the answer away unread.
 */
function linger(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', drop).off('end', stop).off('close', stop).pause();
    done();
  };
  const drop = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > lingerBytes) stop();
  };
  const timer = setTimeout(stop, lingerMs);
  request.on('data', drop).on('end', stop).on('close', stop).resume();
}

/** JSON-RPC codes of answers that no method gave. */
export const rpcCodes = { refused: -32000, invalid: -32600, internal: -32603 } as const;

/** The body of a refusal: clients of the protocol show its message, whatever the status. */
export function refusalBody(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}

/** Answers with an error and ends the exchange. Does nothing when an answer is under way already. */
export function refuse(
  exchange: Exchange,
  status: number,
  code: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (exchange.response.headersSent) return;
  exchange.refusal = { message, from: exchange.client.address };
  answerJson(exchange, status, refusalBody(code, message), { ...harmless, ...headers });
}

/** Whether a request only reads, which is all that some routes allow; answers it where not. */
export function isReading(exchange: Exchange): boolean {
  const { method } = exchange.request;
  if (method === 'GET' || method === 'HEAD') return true;
  refuse(exchange, 405, rpcCodes.refused, 'only GET and HEAD are allowed here', { Allow: 'GET, HEAD' });
  return false;
}

/**
 * Headers for a person who comes upon an answer in a browser, where it must do nothing and be framed by no other page.
 */
const harmless = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;

/** Sends JSON text and ends the exchange, whether or not the request was read to its end. */
export function answerJson(exchange: Exchange, status: number, json: string, headers: OutgoingHttpHeaders = {}): void {
  const { request, response } = exchange;
  const stops = hasMuchLeft(exchange);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(json),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(stops ? { Connection: 'close' } : {}),
    ...headers,
  });
  if (!stops) {
    response.end(json);
    return;
  }
  response.write(json);
  linger(request, () => response.end());
}

const littleBytes = 64 * 1024;

/**
 * Whether much of the body is unread. A short rest is read to keep the connection; a large one, or one of unknown size,
 * is not.
 */
function hasMuchLeft({ request }: Exchange): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > littleBytes;
}

/**
 * Reads the whole body; null when there is nothing left to do: the client is gone, or has been answered that the body is
 * too large.
 */
export async function readBody(exchange: Exchange, limit: number): Promise<Buffer | null> {
  const read = await takeBody(exchange, limit);
  if (read !== 'too-large') return read;
  const message = `the request body is larger than ${limit} bytes`;
  refuse(exchange, 413, rpcCodes.invalid, message);
  return null;
}

/** Reads the whole body, for callers that answer `too-large` themselves. */
export async function takeBody(exchange: Exchange, limit: number): Promise<Buffer | 'too-large' | null> {
  const { request } = exchange;
  if (request.destroyed || request.readableEnded) return null; // no event would ever come
  const declared = Number(request.headers['content-length'] ?? 0);
  return declared > limit ? 'too-large' : collect(exchange, limit);
}

function collect({ request }: Exchange, limit: number): Promise<Buffer | 'too-large' | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | 'too-large' | null): void => {
      request.off('data', take).off('end', end).off('close', gone).off('error', gone);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) settle('too-large');
      else chunks.push(chunk);
    };
    const end = (): void => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    const gone = (): void => settle(null);
    request.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}
