import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isLegacyRequest,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport as StreamTransport,
} from '@modelcontextprotocol/server';
import { reasonOf } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import type { SessionHealth } from '../../../engine/operations/machine/health.ts';
import { readBody, refuse } from '../../http/answers.ts';
import type { Exchange } from '../../http/exchange.ts';
import { changeEvents, notifyChanged } from '../changes.ts';
import { type Era, modernRevision } from '../protocol/era.ts';
import { batchProblem, codes, readMessage, textOf } from '../protocol/messages.ts';
import { type Asked, cancelWhenGone } from './leaving.ts';
import type { PartialAnswers } from './partial-answers.ts';
import { callerIn, mayAsk } from './scopes.ts';
import { createSessions, type Session } from './sessions.ts';
import type { SharedSessions } from './shared-sessions.ts';
import { copyStream, drained, headOf, isStream, sendWebResponse, webRequest } from './web.ts';

/** Makes a server for a session, or for a single request of the newer era. */
export type HttpServerFactory = (era: Era) => Server | McpServer;

interface EndpointOptions {
  readonly sessionTimeout: number;
  readonly log: Logger;
  readonly shared?: SharedSessions | undefined;
  readonly answers?: PartialAnswers | undefined;
}

/** The endpoint `/mcp`, for both eras at once. */
interface Endpoint {
  handle(exchange: Exchange): Promise<void>;
  notifyChanged(reason: string): void;
  list(): readonly SessionHealth[];
  /** Resolves when no request is under way; open streams do not count. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Bytes of the longest body accepted. */
export const bodyLimit = 4 * 1024 * 1024;

export function createEndpoint(factory: HttpServerFactory, options: EndpointOptions): Endpoint {
  const { sessionTimeout, log, shared, answers } = options;
  const sessions = createSessions<StreamTransport>(sessionTimeout, log);
  const modern = createMcpHandler(({ era }) => factory(era), {
    legacy: 'reject',
    onerror: (error) => log.debug(error.message),
    maxRequestBodySize: bodyLimit,
  });

  /** Sessions of other servers that are being continued here. */
  const resuming = new Map<string, Promise<void>>();
  let busy = 0;
  const idlers: (() => void)[] = [];

  async function handle(exchange: Exchange): Promise<void> {
    const { method } = exchange.request;
    if (method === 'POST') return handlePost(exchange);
    // The newer era has neither sessions nor a stream to open.
    if (namesModern(exchange)) {
      return refuse(exchange, 405, codes.refused, 'Method not allowed: use POST', { Allow: 'POST' });
    }
    if (method === 'GET' || method === 'DELETE') return handleSession(exchange, undefined);
    refuse(exchange, 405, codes.refused, 'Method not allowed: use POST, GET or DELETE', { Allow: 'GET, POST, DELETE' });
  }

  async function handlePost(exchange: Exchange): Promise<void> {
    const bytes = await readBody(exchange, bodyLimit);
    if (bytes === null) return;
    const body = parsed(bytes);
    if (body === undefined) {
      return refuse(exchange, 400, codes.parseError, 'Parse error: the request body is not valid JSON');
    }
    if (!mayAsk(exchange, body)) return;
    if (isMethod(body, 'subscriptions/listen')) return dispatch(exchange, body);
    busy++;
    try {
      await dispatch(exchange, body);
    } finally {
      if (--busy === 0) for (const resolve of idlers.splice(0)) resolve();
    }
  }

  async function dispatch(exchange: Exchange, body: unknown): Promise<void> {
    const request = webRequest(exchange);
    if (!isPlainlyLegacy(exchange, body) && (namesModern(exchange) || !(await isLegacyRequest(request, body)))) {
      return sendWebResponse(exchange, await modern.fetch(request, { parsedBody: body, ...callerIn(exchange) }));
    }
    if (opensSession(body)) return open(exchange, request, body);
    if (isMethod(body, 'initialize')) {
      const message = 'Invalid params: `initialize` needs protocolVersion, capabilities and clientInfo';
      return refuse(exchange, 400, codes.invalidParams, message);
    }
    return handleSession(exchange, { request, body });
  }

  /** Answers the first request of a session, which the transport gives its id. */
  async function open(exchange: Exchange, request: Request, body: unknown): Promise<void> {
    if (!sessions.admits(exchange)) return;
    const { transport, server } = await connect(randomUUID(), exchange);
    const answer = await transport.handleRequest(request, { parsedBody: body, ...callerIn(exchange) });
    const { sessionId } = transport;
    if (sessionId !== undefined) await shared?.opened(sessionId, body, exchange.identity);
    await sendWebResponse(exchange, answer);
    // A handshake that failed leaves nothing behind.
    if (sessionId === undefined) await server.close();
  }

  /** Connects a server to the transport of a session, which the handshake begins. */
  async function connect(
    id: string,
    opener: Exchange,
  ): Promise<{ readonly transport: StreamTransport; readonly server: Server }> {
    const transport = new StreamTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        sessions.add({ id, transport, server }, opener);
        transport.onclose = chained(transport.onclose, () => {
          sessions.delete(id);
          shared?.closed(id);
        });
      },
    });
    const product = factory('legacy');
    const server = 'server' in product ? product.server : product;
    await product.connect(transport);
    return { transport, server };
  }

  /** Continues a session of another server, by the handshake that it had there; requests at the same time wait for one. */
  async function resume(id: string, exchange: Exchange): Promise<Session<StreamTransport> | undefined> {
    const before = resuming.get(id);
    if (before !== undefined) await before;
    else if (shared !== undefined) {
      const shaken = shakeHands(id, exchange, shared).finally(() => resuming.delete(id));
      resuming.set(id, shaken);
      await shaken;
    }
    return sessions.get(id, exchange);
  }

  async function shakeHands(id: string, exchange: Exchange, others: SharedSessions): Promise<void> {
    const opening = await others.openingOf(id, exchange.identity);
    if (opening === undefined || !sessions.admits(exchange)) return;
    const { transport, server } = await connect(id, exchange);
    const caller = callerIn(exchange);
    const answer = await transport.handleRequest(handshake(), { parsedBody: opening, ...caller });
    await answer.text();
    if (transport.sessionId === undefined) return server.close();
    const version = server.getNegotiatedProtocolVersion() ?? '';
    const request = handshake({ 'mcp-session-id': id, 'mcp-protocol-version': version });
    await transport.handleRequest(request, { parsedBody: initialized, ...caller });
    log.debug('a session of another server is continued');
  }

  /** The session of an exchange, which may be continued from another server; answers it where there is none. */
  async function sessionOf(exchange: Exchange): Promise<Session<StreamTransport> | undefined> {
    const id = exchange.request.headers['mcp-session-id'];
    if (typeof id !== 'string' || id === '') {
      refuse(exchange, 400, codes.refused, 'Bad request: Mcp-Session-Id is missing; open a session with `initialize`');
      return undefined;
    }
    const session = sessions.get(id, exchange) ?? (await resume(id, exchange).catch(unknownIn(exchange)));
    if (exchange.response.headersSent) return undefined; // there is no room for it, or nobody can tell
    if (session === undefined) {
      const message = 'Session not found: it may have expired; open a new one with `initialize`';
      refuse(exchange, 404, codes.sessionNotFound, message);
    }
    return session;
  }

  async function handleSession(
    exchange: Exchange,
    read: { request: Request; body: unknown } | undefined,
  ): Promise<void> {
    const session = await sessionOf(exchange);
    if (session === undefined) return;
    const cameBackFor = answers?.cameBackFor(exchange);
    if (answers !== undefined && cameBackFor !== undefined) {
      return answers.tell(exchange, session, cameBackFor).catch(unknownIn(exchange));
    }
    const problem = batchProblemIn(read?.body, session.server);
    if (problem !== null) return refuse(exchange, 400, codes.invalidRequest, `Invalid request: ${problem}`);
    const request = read?.request ?? webRequest(exchange);
    const answerTo = (body: unknown): Promise<Response> => {
      if (body === undefined) return session.transport.handleRequest(request);
      asked.add(body);
      return session.transport.handleRequest(request, { parsedBody: body, ...callerIn(exchange) });
    };
    const asked = cancelWhenGone(exchange, session.transport);
    if (exchange.request.method === 'DELETE') await shared?.ended(session.id);
    else shared?.used(session.id);
    await sessions.use(session, async () => {
      if (isPlainBatch(read?.body)) await sendBatch(exchange, read.body, answerTo, asked);
      else
        await sendWebResponse(
          exchange,
          await answerTo(read?.body),
          answers?.namingOf(exchange, session.id, read?.body),
        );
    });
  }

  return {
    handle,
    list: () => sessions.list(),
    notifyChanged(reason) {
      sessions.each((session) => tell(session, reason));
      for (const event of changeEvents(reason)) modern.bus.publish(event);
    },
    async idle() {
      if (busy > 0) await new Promise<void>((resolve) => idlers.push(resolve));
    },
    async close() {
      await Promise.allSettled([sessions.close(), modern.close()]);
    },
  };

  function tell({ server, isReady }: Session<StreamTransport>, reason: string): void {
    if (isReady) notifyChanged(server, reason, log);
  }
}

/** Answers where it cannot be told whether there is a session: its client must not take it for ended. */
function unknownIn(exchange: Exchange): (error: unknown) => undefined {
  return (error) => {
    const message = `This session is on another server, and cannot be continued here just now: ${reasonOf(error)}; try again`;
    refuse(exchange, 503, codes.refused, message, { 'Retry-After': '1' });
    return undefined;
  };
}

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

/** A request of the handshake, as a client would send it. */
function handshake(headers: Readonly<Record<string, string>> = {}): Request {
  const accept = 'application/json, text/event-stream';
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', ...headers },
  });
}

/** Whether a request belongs to a session and has no field of the newer era, like nearly all of the older one. */
function isPlainlyLegacy(exchange: Exchange, body: unknown): boolean {
  if (exchange.request.headers['mcp-session-id'] === undefined || namesModern(exchange)) return false;
  const reading = readMessage(body);
  return reading.kind === 'message' && reading.message.params?.['_meta'] === undefined;
}

/** Whether a request names the newer era's revision: then the newer era answers it, whatever else it holds. */
function namesModern({ request }: Exchange): boolean {
  return request.headers['mcp-protocol-version'] === modernRevision;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return undefined;
  }
}

function isMethod(body: unknown, method: string): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === method;
}

function batchProblemIn(body: unknown, server: Server): string | null {
  return Array.isArray(body) ? batchProblem(body.length, server.getNegotiatedProtocolVersion()) : null;
}

function opensSession(body: unknown): boolean {
  return Array.isArray(body) ? body.some(opensSession) : isMethod(body, 'initialize') && isInitializeRequest(body);
}

function chained(before: (() => void) | undefined, after: () => void): () => void {
  return () => {
    before?.();
    after();
  };
}

/** Whether a batch asks for answers, and nothing in it makes it wrong as a whole: it can be answered one by one. */
function isPlainBatch(body: unknown): body is readonly unknown[] {
  return Array.isArray(body) && body.some(isJSONRPCRequest) && body.every(isMessage);
}

function isMessage(item: unknown): boolean {
  return isJSONRPCRequest(item) || isJSONRPCNotification(item) || isJSONRPCResponse(item);
}

/** Time after which a longer message, such as a run, no longer keeps the next one waiting. */
const nextMessageDelayMs = 50;
/** Number of messages answered before another client's turn. */
const inARow = 5;

/**
 * Answers a batch as one stream, message by message: the next is worked on when the answers so far have been taken. All
 * at once would be as much memory as a client cares to ask for, and as much time in which nobody else is served.
 */
async function sendBatch(
  exchange: Exchange,
  messages: readonly unknown[],
  answerTo: (message: unknown) => Promise<Response>,
  asked: Asked,
): Promise<void> {
  const { response } = exchange;
  const slow: Promise<void>[] = [];
  let done = 0;

  async function answerOne(message: unknown): Promise<void> {
    const answer = await answerTo(message);
    if (answer.body === null) return void asked.delete(message); // a notification has no answer
    if (!isStream(answer)) return response.headersSent ? undefined : sendWebResponse(exchange, answer);
    if (!response.headersSent) response.writeHead(...headOf(answer));
    const copied = copyStream(response, answer.body).finally(() => asked.delete(message));
    if (!(await settlesWithin(nextMessageDelayMs, copied))) slow.push(copied);
  }

  async function answerSome(): Promise<void> {
    const end = Math.min(done + inARow, messages.length);
    while (done < end && !response.destroyed && !response.writableEnded && !response.writableNeedDrain) {
      await answerOne(messages[done++]);
    }
  }

  while (done < messages.length && !response.destroyed && !response.writableEnded) {
    await exchange.turn(answerSome);
    await drained(response);
  }
  await Promise.all(slow);
  response.end();
}
