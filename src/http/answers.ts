import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from './exchange.ts';

const lingerMs = 1000;
const lingerBytes = 8 * 1024 * 1024;

/**
 * Closing a connection while the client still sends makes its system throw the answer away unread. So what comes is
 * read and dropped, for a moment and up to a size: honest clients stop by then, others are cut off.
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

/** The JSON-RPC codes of answers that no method gave. */
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
  exchange.refusal = { message, from: exchange.request.socket.remoteAddress };
  answerJson(exchange, status, refusalBody(code, message), { ...harmless, ...headers });
}

/** A person may come upon it in a browser, where it is to do nothing, and to be shown in no other page. */
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

/** A little rest is read away to keep the connection; of a large one, or one of unknown size, nothing more is wanted. */
function hasMuchLeft({ request }: Exchange): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > littleBytes;
}
