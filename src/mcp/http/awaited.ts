import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isRequest, type Message, type RequestId } from '../messages.ts';

/** The requests that have come in on some streams and have no answer yet. */
export interface Awaited {
  /** A message from the client of a stream: a request is awaited from now on, a cancelled one no more. */
  received(stream: string, message: JSONRPCMessage): void;
  /** A message to it. */
  sent(stream: string, message: JSONRPCMessage): void;
  /** Nobody is there any more to take an answer. */
  ended(stream: string): void;
  /** Resolves when nothing is awaited. */
  idle(): Promise<void>;
}

export function createAwaited(): Awaited {
  const streams = new Map<string, Set<RequestId>>();
  const idlers: (() => void)[] = [];

  function settle(stream: string, id: unknown): void {
    const ids = streams.get(stream);
    ids?.delete(id as RequestId);
    if (ids?.size === 0) end(stream);
  }

  function end(stream: string): void {
    streams.delete(stream);
    if (streams.size === 0) for (const resolve of idlers.splice(0)) resolve();
  }

  return {
    received(stream, message) {
      const { method, params } = message as Message;
      if (method === 'notifications/cancelled') settle(stream, params?.['requestId']);
      if (!isRequest(message as Message)) return;
      const ids = streams.get(stream) ?? new Set();
      streams.set(stream, ids.add((message as Message).id as RequestId));
    },
    sent(stream, message) {
      const { id, method } = message as Message;
      if (method === undefined) settle(stream, id);
    },
    ended: end,
    async idle() {
      if (streams.size > 0) await new Promise<void>((resolve) => idlers.push(resolve));
    },
  };
}
