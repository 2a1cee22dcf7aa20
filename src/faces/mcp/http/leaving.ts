import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isObject } from '../../../core/formats/documents.ts';
import type { Exchange } from '../../http/exchange.ts';
import { codes, isRequest, type Message } from '../protocol/messages.ts';

/**
 * Remembers the requests of an exchange until they are answered, and cancels them when the client closes the connection
 * before that: answers are not kept, so that nobody could fetch them later, and a run would go on for nobody.
 */
export function cancelWhenGone({ response }: Exchange, transport: Transport): Asked {
  const asked: Asked = new Set();
  response.once('close', () => {
    if (!response.writableFinished) for (const message of asked) cancel(transport, message);
  });
  return asked;
}

/** Messages that are under way. */
export type Asked = Set<unknown>;

const reason = 'the client closed the connection';

/** Cancels a request; a client's message may be anything. */
export function cancel(transport: Transport, message: unknown): void {
  if (!isObject(message) || !isRequest(message as unknown as Message)) return;
  const { id } = message;
  const params = { requestId: id, reason };
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params } as JSONRPCMessage);
  // A cancelled request gets no answer; without one the transport would remember it until the session ends.
  const answer = { jsonrpc: '2.0', id, error: { code: codes.refused, message: reason } } as JSONRPCMessage;
  transport.send(answer).catch(() => {}); // already answered
}
