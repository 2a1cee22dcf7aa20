import { refuse, rpcCodes } from './answers.ts';
import type { Exchange, HttpLimits } from './exchange.ts';
import type { Guards } from './guards.ts';

// Each of these checks admits an exchange, or answers it with a refusal.

export function isWellFormed(exchange: Exchange, limits: HttpLimits): boolean {
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

export function isFromKnownPlace(exchange: Exchange, guards: Guards): boolean {
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
export function isPreflight({ request }: Exchange): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

export function answerPreflight({ request, response }: Exchange): void {
  const fromOutside = request.headers['access-control-request-private-network'] === 'true';
  response.writeHead(204, {
    ...preflight,
    ...(fromOutside ? { 'Access-Control-Allow-Private-Network': 'true' } : {}),
  });
  response.end();
}
