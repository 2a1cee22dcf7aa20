import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Exchange } from '../../http/exchange.ts';
import { codes } from '../codes.ts';
import { isRequest, type Message } from '../messages.ts';

/**
 * Requests of a session whose client closes the connection before it has their answers are cancelled: answers are not
 * kept, so that nobody could fetch them later, and a run would go on for nobody.
 */
export function cancelWhenGone({ response }: Exchange, transport: Transport, body: unknown): void {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  response.once('close', () => {
    if (response.writableFinished) return;
    for (const message of messages) if (isRequest(message as Message)) cancel(transport, message as Message);
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
