import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Exchange } from '../../http/exchange.ts';
import { isObject } from '../../kernel/documents.ts';
import { codes } from '../codes.ts';
import { isRequest, type Message } from '../messages.ts';

/**
 * Requests of a session whose client closes the connection before it has their answers are cancelled: answers are not
 * kept, so that nobody could fetch them later, and a run would go on for nobody.
 */
export function cancelWhenGone({ response }: Exchange, transport: Transport, body: unknown): void {
  // A stream of events has no body, and a client's body may hold anything.
  const requests = [body]
    .flat()
    .filter((one) => isObject(one) && isRequest(one as unknown as Message)) as readonly Message[];
  if (requests.length === 0) return;
  response.once('close', () => {
    if (response.writableFinished) return;
    for (const request of requests) cancel(transport, request);
  });
}

const reason = 'the client closed the connection';

function cancel(transport: Transport, { id }: Message): void {
  const params = { requestId: id, reason };
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params } as JSONRPCMessage);
  // Nothing is answered to a cancelled request; without an answer the transport would remember it until the session ends.
  const answer = { jsonrpc: '2.0', id, error: { code: codes.refused, message: reason } } as JSONRPCMessage;
  transport.send(answer).catch(() => {}); // it was answered before
}
