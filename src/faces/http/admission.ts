import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SkillError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { refuse, rpcCodes } from './answers.ts';
import { createAttempts, shortestToken } from './attempts.ts';
import type { Exchange, HttpLimits } from './exchange.ts';
import { type Guards, isLoopback } from './guards.ts';

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
  const host = guards.host(exchange.request);
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

const challenges = { missing: 'Bearer', wrong: 'Bearer error="invalid_token"' } as const;
const complaints = {
  missing: 'a token is required: Authorization: Bearer TOKEN',
  wrong: 'the token is wrong',
} as const;

export const tooManyWrong = 'too many wrong tokens came from there; try again later';

export function hasToken(exchange: Exchange, check: TokenCheck): boolean {
  const verdict = check(exchange.request);
  if (verdict === 'right') return true;
  if (typeof verdict === 'number') {
    refuse(exchange, 429, rpcCodes.refused, tooManyWrong, { 'Retry-After': String(verdict) });
    return false;
  }
  refuse(exchange, 401, rpcCodes.refused, complaints[verdict], { 'WWW-Authenticate': challenges[verdict] });
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

const remedy =
  'Give one with --auth-token or REPERTOIRE_TOKEN, or in a file with --auth-token-file; for example from: openssl rand -hex 32';

/**
 * The outcome of a token check. `missing` and `wrong` differ, so that a client knows whether to ask its person; a
 * number is seconds to wait.
 */
type TokenVerdict = 'right' | 'missing' | 'wrong' | number;
export type TokenCheck = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => TokenVerdict;

/** Throws unless the token can protect a server at this host. Without one, only this machine may reach the server. */
export function checkToken(host: string, token: string | undefined, log: Logger): void {
  if (token === undefined) {
    if (isLoopback(host)) return;
    throw new SkillError('usage', `${host} can be reached from other machines: a token is required`, {
      hint: `${remedy}; or stay on this machine with --host 127.0.0.1`,
    });
  }
  if (token.trim() === '') throw new SkillError('usage', 'the token is empty', { hint: remedy });
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new SkillError('usage', 'the token contains a space or a character that a header cannot carry', {
      hint: remedy,
    });
  }
  if (token.length >= shortestToken) return;
  const problem = `the token has fewer than ${shortestToken} characters: it can be guessed`;
  if (!isLoopback(host)) throw new SkillError('usage', problem, { hint: remedy });
  log.warn(problem);
}

export function createTokenCheck(token: string | undefined): TokenCheck {
  if (token === undefined) return () => 'right';
  const expected = digest(token);
  const attempts = createAttempts();
  return ({ headers: { authorization }, socket }) => {
    const presented = authorization === undefined ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (presented === undefined) return 'missing';
    // Digests have one length, so that the comparison reveals nothing about the token, not even its length.
    return attempts.attempt(socket, presented, () => timingSafeEqual(digest(presented), expected));
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
