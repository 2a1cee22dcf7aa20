import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import type { Logger } from '../../core/log.ts';
import type { Access } from './access.ts';
import { answerJson, isReading, refuse, rpcCodes } from './answers.ts';
import type { Client } from './clients.ts';
import { type Common, type Exchange, type HttpLimits, OpenExchange, type Pages, type Route } from './exchange.ts';
import type { Guards } from './guards.ts';
import type { Sockets } from './sockets.ts';

interface HandlerParts {
  /** The path that all others begin with. */
  readonly basePath: string;
  readonly clientOf: (request: IncomingMessage) => Client;
  readonly guards: Guards;
  readonly access: Access;
  readonly routes: Readonly<Record<string, Route>>;
  /** Routes for the operators of the server, which are not announced to clients. */
  readonly operatorRoutes: Readonly<Record<string, Route>>;
  /** Routes that need no token. */
  readonly openRoutes: Readonly<Record<string, Route>>;
  readonly pages?: Pages | undefined;
  readonly limits: HttpLimits;
  readonly sockets: Sockets;
  readonly log: Logger;
}

/** Makes the handler between a connection and a route. */
export function createHandler(parts: HandlerParts): (request: IncomingMessage, response: ServerResponse) => void {
  const { sockets, log, limits, basePath, clientOf } = parts;
  const openRoutes: Record<string, Route> = { '/healthz': answerHealth, ...parts.openRoutes, ...parts.access.routes };
  const routes = new Map(Object.entries({ ...parts.routes, ...parts.operatorRoutes, ...openRoutes }));
  // Whatever watches this server asks it directly, and not at the address that clients know.
  const routesAtRoot = new Map(Object.entries({ ...parts.operatorRoutes, ...openRoutes }));
  const nowhere = `nothing is served here; try ${Object.keys(parts.routes)
    .map((path) => basePath + path)
    .join(' or ')}`;
  /** Routes that need no token. */
  const open = new Set<Route>([toPage, ...Object.values(openRoutes)]);
  const nextId = createIds();
  const common: Common = { log, basePath, clientOf, turn: (exchange, work) => sockets.turn(exchange, work) };

  function serve(exchange: Exchange): void | Promise<void> {
    if (!isWellFormed(exchange, limits) || !isFromKnownPlace(exchange, parts.guards)) return;
    if (isPreflight(exchange)) return answerPreflight(exchange);
    const route = routeOf(exchange);
    // The set of paths is not secret, and clients that look for a way to log in must find that there is none.
    if (route === undefined) return refuse(exchange, 404, rpcCodes.refused, nowhere);
    const admitted = open.has(route) || judges(exchange, route);
    if (typeof admitted === 'boolean') return admitted ? begin(exchange, route) : undefined;
    return admitted.then((isAdmitted) => (isAdmitted ? begin(exchange, route) : undefined));
  }

  /** Whether the token of an exchange is good for a route. Pages have an access control of their own. */
  function judges(exchange: Exchange, route: Route): boolean | Promise<boolean> {
    return route === parts.pages?.serve ? parts.access.identifies(exchange) : parts.access.admits(exchange);
  }

  function begin(exchange: Exchange, route: Route): void | Promise<void> {
    if (awaitsLeave(exchange)) exchange.response.writeContinue();
    return route(exchange);
  }

  function routeOf({ path, isWithin }: Exchange): Route | undefined {
    if (isWithin) return routes.get(path) ?? (parts.pages?.owns(path) ? parts.pages.serve : undefined);
    // The page has addresses beside its own, so that it needs a final slash.
    return parts.pages !== undefined && path === basePath ? toPage : routesAtRoot.get(path);
  }

  function fail(exchange: Exchange, error: unknown): void {
    exchange.log.error('a request failed', { error: inspect(error) });
    const { response } = exchange;
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else refuse(exchange, 500, rpcCodes.internal, 'internal error; see the log of the server');
  }

  function start(exchange: Exchange, hasRoom: boolean): void {
    if (sockets.closing) exchange.response.setHeader('Connection', 'close');
    if (!hasRoom || (sockets.isScarce && isLarge(exchange))) {
      refuse(exchange, 503, rpcCodes.refused, 'too many requests at once', { 'Retry-After': '1' });
      return;
    }
    try {
      serve(exchange)?.catch((error: unknown) => fail(exchange, error));
    } catch (error) {
      fail(exchange, error);
    }
  }

  return (request, response) => {
    const exchange = new OpenExchange(request, response, nextId(), common);
    // Without a listener an error of a stream would end the process; the client it concerns is gone.
    request.on('error', ignore);
    response.on('error', ignore);
    response.setHeader('X-Request-Id', exchange.id);
    sockets.begin(exchange, start);
  };
}

const ignore = (): void => {};

/** Whether the client waits for leave to send its body; one that is refused keeps it. */
function awaitsLeave({ request }: Exchange): boolean {
  return request.headers.expect !== undefined && request.httpVersionMinor === 1;
}

const largeBytes = 64 * 1024;

/** Whether the body is large, or of unknown size. */
function isLarge({ request: { headers } }: Exchange): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBytes;
}

function answerHealth(exchange: Exchange): void {
  if (isReading(exchange)) answerJson(exchange, 200, '{"status":"ok"}');
}

function toPage(exchange: Exchange): void {
  if (isReading(exchange)) exchange.response.writeHead(308, { Location: `${exchange.base}/` }).end();
}

/** Makes short ids that differ within a server, and from those of the server before it in the same log. */
function createIds(): () => string {
  const start = randomBytes(4).toString('hex');
  let last = 0;
  return () => {
    last += 1;
    return `${start}-${last.toString(36)}`;
  };
}

// Each of these checks admits an exchange, or answers it with a refusal.

function isWellFormed(exchange: Exchange, limits: HttpLimits): boolean {
  const { url = '', rawHeaders } = exchange.request;
  if (rawHeaders.length > 2 * limits.headers) {
    refuse(exchange, 431, rpcCodes.invalid, `there are more than ${limits.headers} headers`, { Connection: 'close' });
    return false;
  }
  if (url.length > limits.urlLength) {
    refuse(exchange, 414, rpcCodes.invalid, `the URL is longer than ${limits.urlLength} characters`);
    return false;
  }
  if (url.startsWith('/')) return true;
  refuse(exchange, 400, rpcCodes.invalid, 'the request has no path');
  return false;
}

function isFromKnownPlace(exchange: Exchange, guards: Guards): boolean {
  const { origin } = exchange.request.headers;
  const host = guards.host(exchange.client.host);
  if (host === null) {
    refuse(exchange, 403, rpcCodes.refused, 'Host not allowed');
    return false;
  }
  if (origin === undefined) return isNoPagesWork(exchange);
  if (!guards.origin(origin, host)) {
    refuse(exchange, 403, rpcCodes.refused, 'Origin not allowed');
    return false;
  }
  const reads = guards.reads(origin);
  if (reads) letRead(exchange, origin);
  if (reads || !isPreflight(exchange)) return true;
  refuse(exchange, 403, rpcCodes.refused, 'Origin not allowed to read responses');
  return false;
}

/**
 * Refuses images and scripts of another site's page: a browser sends no `Origin` for them, but says that they come from
 * another site. Following a link is a person's own doing.
 */
function isNoPagesWork(exchange: Exchange): boolean {
  const { headers } = exchange.request;
  if (headers['sec-fetch-site'] !== 'cross-site' || headers['sec-fetch-mode'] === 'navigate') return true;
  refuse(exchange, 403, rpcCodes.refused, 'cross-site requests are not allowed');
  return false;
}

const preflight = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
  'Access-Control-Max-Age': '600',
  'Content-Length': '0',
} as const;

/** Lets the page read the answer, whatever it will be. */
function letRead({ response }: Exchange, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, X-Request-Id, WWW-Authenticate');
  response.setHeader('Vary', 'Origin');
}

/**
 * Whether this is a preflight, which a browser sends before a request that a plain form could not make. It has no
 * token.
 */
function isPreflight({ request }: Exchange): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

function answerPreflight({ request, response }: Exchange): void {
  const fromOutside = request.headers['access-control-request-private-network'] === 'true';
  response.writeHead(204, {
    ...preflight,
    ...(fromOutside ? { 'Access-Control-Allow-Private-Network': 'true' } : {}),
  });
  response.end();
}
