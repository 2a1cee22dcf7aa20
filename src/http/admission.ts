import { refuse, rpcCodes } from './answers.ts';
import { isPreflight, letRead } from './cors.ts';
import type { Exchange } from './exchange.ts';
import type { Guards } from './guards.ts';
import type { HttpLimits } from './limits.ts';
import type { TokenCheck } from './token.ts';

// Each of these lets an exchange through, or answers it and says no.

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
 * For images and scripts of a stranger's page a browser names no `Origin`, but it says that they come from another
 * site. Following a link is a person's own doing.
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
