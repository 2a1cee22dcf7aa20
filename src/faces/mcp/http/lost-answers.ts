import { isJSONRPCRequest, type Transport } from '@modelcontextprotocol/server';
import type { Exchange } from '../../http/exchange.ts';

import { codes, type RequestId } from '../protocol/messages.ts';
import { cancel } from './leaving.ts';

/**
 * Answers whose stream has broken off. A client that has had a part of one, such as progress, waits for the rest without
 * end: the protocol lets it come back for that, to any server, with the id of the last event that it has. Ids name the
 * request for this, and whoever comes back is told that its answer is lost.
 */

const prefix = 'answer-to-';

/** The id of the events that answer a request; empty for what is none. */
export function eventIdFor(body: unknown): string {
  if (!isJSONRPCRequest(body)) return '';
  return prefix + Buffer.from(JSON.stringify(body.id)).toString('base64url');
}

/** The request whose answer somebody has come back for; undefined where it is something else. */
export function requestCameBackFor({ request: { method, headers } }: Exchange): RequestId | undefined {
  const given = headers['last-event-id'];
  if (method !== 'GET' || typeof given !== 'string' || !given.startsWith(prefix)) return undefined;
  try {
    const id: unknown = JSON.parse(Buffer.from(given.slice(prefix.length), 'base64url').toString('utf8'));
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}

const message =
  'The connection was lost before this was answered, and the answer with it: whether it was done, and how much of it, is not known';

/** Tells a client that has come back for an answer that there is none. Were it still being worked on here, that ends. */
export function answerLost({ response }: Exchange, transport: Transport, id: RequestId): void {
  cancel(transport, { jsonrpc: '2.0', id, method: '' });
  const error = { jsonrpc: '2.0', id, error: { code: codes.refused, message } };
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' });
  response.end(`event: message\ndata: ${JSON.stringify(error)}\n\n`);
}
