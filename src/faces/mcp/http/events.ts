import { randomUUID } from 'node:crypto';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJsonContentType,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Logger } from '../../../core/log.ts';
import type { SessionHealth } from '../../../engine/operations/machine/health.ts';
import { readBody, refuse } from '../../http/answers.ts';
import type { Exchange } from '../../http/exchange.ts';
import { notifyChanged } from '../changes.ts';
import { codes, isRequest, type Message, type RequestId, readMessage, textOf } from '../protocol/messages.ts';
import { bodyLimit, type HttpServerFactory } from './endpoint.ts';
import { callerIn, mayAsk } from './scopes.ts';
import { createSessions } from './sessions.ts';

/**
 * The oldest HTTP transport: one stream of events from the server, opened by GET, and messages to it by POST. The
 * library has dropped it; clients have not.
 */
interface EventEndpoint {
  /** Opens a stream. */
  open(exchange: Exchange): Promise<void>;
  /** Takes a message for an open stream. */
  receive(exchange: Exchange): Promise<void>;
  notifyChanged(reason: string): void;
  list(): readonly SessionHealth[];
  /** Resolves when every request has its answer, or its client is gone. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const keepAliveMs = 15_000;
/** Bytes waiting for a client to read them, above which nothing more is done for it. */
const mostUnread = 1024 * 1024;

interface EventTransport extends Transport {
  readonly unread: () => number;
  onmessage?: (message: JSONRPCMessage, extra?: ReturnType<typeof callerIn>) => void;
}

export function createEventEndpoint(
  factory: HttpServerFactory,
  messagesPath: string,
  timeoutMs: number,
  log: Logger,
): EventEndpoint {
  const sessions = createSessions<EventTransport>(timeoutMs, log);
  const awaited = createAwaited();

  async function open(exchange: Exchange): Promise<void> {
    if (!sessions.admits(exchange)) return;
    const { response } = exchange;
    const id = randomUUID();
    const transport: EventTransport = {
      sessionId: id,
      unread: () => response.writableLength,
      start: async () => {},
      async send(message) {
        response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
        awaited.sent(id, message);
      },
      close: async () => {
        response.end();
        transport.onclose?.();
      },
    };
    const product = factory('legacy');
    const server = 'server' in product ? product.server : product;
    const session = sessions.add({ id, transport, server }, exchange);
    session.busy++; // an open stream is a session in use
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write(`event: endpoint\ndata: ${exchange.base}${messagesPath}?sessionId=${id}\n\n`);
    const pulse = setInterval(() => response.write(': keepalive\n\n'), keepAliveMs).unref();
    await product.connect(transport);
    await new Promise<void>((resolve) => response.once('close', resolve));
    clearInterval(pulse);
    awaited.ended(id);
    sessions.delete(id);
    await session.server.close();
  }

  async function receive(exchange: Exchange): Promise<void> {
    if (exchange.request.method !== 'POST') {
      return refuse(exchange, 405, codes.refused, 'Method not allowed: messages are sent by POST', { Allow: 'POST' });
    }
    const id = exchange.url.searchParams.get('sessionId');
    if (id === null || id === '') return refuse(exchange, 400, codes.refused, 'Bad request: sessionId is missing');
    const session = sessions.get(id, exchange);
    if (session === undefined)
      return refuse(exchange, 404, codes.sessionNotFound, 'Session not found: open a new stream');
    if (!isJsonContentType(exchange.request.headers['content-type'])) {
      return refuse(exchange, 415, codes.refused, 'Unsupported media type: a message is application/json');
    }
    if (session.transport.unread() > mostUnread) {
      return refuse(exchange, 503, codes.refused, 'the answers so far have not been read', { 'Retry-After': '1' });
    }
    const bytes = await readBody(exchange, bodyLimit);
    if (bytes === null) return;
    const message = messageIn(bytes, exchange);
    if (message === null) return;
    exchange.response.writeHead(202).end('Accepted');
    awaited.received(id, message);
    session.transport.onmessage?.(message, callerIn(exchange));
  }

  return {
    open,
    receive,
    notifyChanged: (reason) =>
      sessions.each(({ server, isReady }) => {
        if (isReady) notifyChanged(server, reason, log);
      }),
    list: () => sessions.list(),
    idle: () => awaited.idle(),
    close: () => sessions.close(),
  };
}

/** The message in a body; null where there is none, and the client has been answered. */
function messageIn(bytes: Buffer, exchange: Exchange): JSONRPCMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(textOf(bytes));
  } catch {
    refuse(exchange, 400, codes.parseError, 'Parse error: the request body is not valid JSON');
    return null;
  }
  const reading = readMessage(value);
  const message = reading.kind === 'message' ? reading.message : undefined;
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)) {
    return mayAsk(exchange, message) ? message : null;
  }
  refuse(exchange, 400, codes.invalidRequest, 'Invalid request: the body is not a JSON-RPC message');
  return null;
}

/** Requests that have come in on some streams and have no answer yet. */
interface Awaited {
  /** Records a message from the client of a stream: a request is awaited from now on, a cancelled one no more. */
  received(stream: string, message: JSONRPCMessage): void;
  /** Records a message to the client. */
  sent(stream: string, message: JSONRPCMessage): void;
  /** Forgets a stream whose client is gone: nobody takes its answers. */
  ended(stream: string): void;
  /** Resolves when nothing is awaited. */
  idle(): Promise<void>;
}

function createAwaited(): Awaited {
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
