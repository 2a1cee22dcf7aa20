import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../../../core/log.ts';
import { notifyChanged } from '../changes.ts';
import type { Era } from '../protocol/messages.ts';
import type { ServerFactory } from '../server.ts';
import type { Protocol } from './connection.ts';

/** Lets the library serve one connection whose bytes we read and write ourselves. */
export function startProtocol(factory: ServerFactory, send: (message: object) => void, log: Logger): Protocol {
  const servers = new Map<Server, Era>();
  let isInitialized = false;
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async (message) => send(message),
  };
  const handle = serveStdio(
    ({ era }) => {
      const server = factory(era);
      servers.set(server, era);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport, onerror: (error) => log.debug(error.message) },
  );
  return {
    deliver(message) {
      if (!isJSONRPCRequest(message) && !isJSONRPCNotification(message) && !isJSONRPCResponse(message)) return false;
      if ('method' in message && message.method === 'notifications/initialized') isInitialized = true;
      transport.onmessage?.(message as JSONRPCMessage);
      return true;
    },
    notifyChanged(reason) {
      // Clients with a handshake are notified once it is done; those of the newer era, of what they have subscribed to.
      for (const [server, era] of servers) if (era === 'modern' || isInitialized) notifyChanged(server, reason, log);
    },
    close: () => handle.close(),
  };
}
