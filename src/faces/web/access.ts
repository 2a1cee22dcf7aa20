import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { VisitStore } from '../../engine/cluster/visits.ts';
import { tooManyWrong } from '../http/access.ts';
import { createAttempts } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Identity } from '../http/identity.ts';
import { Refusal } from './answers.ts';
import { createPasses } from './passes.ts';
import { createVisits } from './visits.ts';

/**
 * Access control of the console. The opened link carries a token that is made anew at every start; a browser that hands
 * it over gets a cookie, which no script can read and no other site can use. Programs send a token as a bearer instead.
 */
export interface Access {
  /** The token for the link that is printed. */
  readonly token: string;
  /** Makes a token for a link that opens a browser: it is good once. */
  pass(): string;
  /**
   * The cookie for a client whose token is that of a link, or the server's own where it has one; null for any other.
   * Throws after too many wrong ones.
   */
  letIn(token: string, exchange: Exchange): Promise<string | null>;
  /** The cookie for a person who has signed in. */
  cookieFor(exchange: Exchange, identity: Identity): Promise<string>;
  /** Ends the visit of a client; returns the cookie that takes its own away. */
  leave(exchange: Exchange): Promise<string>;
  /** The reason why a request is not let in; null where it is, and its exchange says who has signed in. */
  problemWith(exchange: Exchange): Promise<Problem | null>;
}

/** Cookies of our name that are looked at: each may be one that another server knows. */
const mostCookies = 8;

export type Problem = 'nobody' | 'other-page';

export function createAccess(serverToken: string | undefined, shared?: VisitStore): Access {
  const token = randomBytes(32).toString('base64url');
  const tokens = [token, ...(serverToken === undefined ? [] : [serverToken])].map(digestOf);
  const visits = createVisits(shared, serverToken);

  const accepts = (text: string): boolean => {
    const digest = digestOf(text);
    return tokens.filter((one) => timingSafeEqual(one, digest)).length > 0; // compares all, to take constant time
  };
  const isServers = (text: string): boolean =>
    serverToken !== undefined && timingSafeEqual(digestOf(serverToken), digestOf(text));
  const passes = createPasses();
  const attempts = createAttempts();

  function tries(given: string, { client }: Exchange, isRight: () => boolean): boolean {
    const verdict = attempts.attempt(client, given, isRight);
    if (typeof verdict !== 'number') return verdict === 'right';
    throw new Refusal('too-many', tooManyWrong, `Wait ${verdict} seconds.`, { 'Retry-After': String(verdict) });
  }

  async function begin(exchange: Exchange, visitor: Parameters<typeof visits.begin>[1]): Promise<string> {
    return cookieText(exchange, cookieName(exchange.client), await visits.begin(exchange.request, visitor));
  }

  return {
    token,
    pass: () => passes.make(),
    async letIn(given, exchange) {
      if (!tries(given, exchange, () => accepts(given) || passes.takes(given, exchange.request))) return null;
      // A link is that of one server; the token is that of all.
      return begin(exchange, { identity: undefined, isShared: isServers(given) });
    },
    cookieFor: (exchange, identity) => begin(exchange, { identity, isShared: true }),
    async leave(exchange) {
      const own = cookiesIn(exchange, cookieName(exchange.client));
      await Promise.all(own.map((secret) => visits.end(secret)));
      return `${cookieText(exchange, cookieName(exchange.client), '')}; Max-Age=0`;
    },
    async problemWith(exchange) {
      const { request, identity } = exchange;
      if (identity !== undefined) return null; // an access token has named them
      const bearer = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
      // A page cannot make a browser add this header by itself: a sender that has the token knows it.
      if (bearer !== undefined) return tries(bearer, exchange, () => accepts(bearer)) ? null : 'nobody';
      // Pages on other ports of this machine can set cookies of any name: theirs must not hide ours.
      const given = cookiesIn(exchange, cookieName(exchange.client));
      const known = await Promise.all(given.slice(0, mostCookies).map((secret) => visits.goOn(secret, request)));
      const visit = known.find((one) => one !== undefined);
      if (visit === undefined) return 'nobody';
      exchange.identity = visit.identity;
      return isOwnPage(exchange) ? null : 'other-page';
    },
  };
}

/**
 * Whether a request comes from our own page. A cookie is sent along with requests from pages on other ports of the same
 * machine, which count as the same site. A browser says truthfully which page asks: only our own may.
 */
function isOwnPage({ request: { headers, method }, client: { host } }: Exchange): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin !== undefined) return /^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host?.toLowerCase();
  // A browser names the page for every request that may change something.
  return site === 'same-origin' || method === 'GET' || method === 'HEAD';
}

/** The cookie's name, with the port: cookies do not tell ports apart, and several servers may run on one machine. */
export function cookieName({ host = '' }: Exchange['client'], what = ''): string {
  return `repertoire-${what}${/:(\d+)$/.exec(host)?.[1] ?? 'default'}`;
}

/** The text that sets a cookie for the console, or for a part of its paths. */
export function cookieText(
  { client, base }: Exchange,
  name: string,
  value: string,
  { path = '/', sameSite = 'Strict' }: { readonly path?: string; readonly sameSite?: 'Strict' | 'Lax' } = {},
): string {
  const parts = [`${name}=${value}`, `Path=${base}${path}`, 'HttpOnly', `SameSite=${sameSite}`];
  return [...parts, ...(client.scheme === 'https' ? ['Secure'] : [])].join('; ');
}

export function cookiesIn({ request }: Exchange, name: string): string[] {
  const wanted = `${name}=`;
  const parts = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
  return parts.filter((part) => part.startsWith(wanted)).map((part) => part.slice(wanted.length));
}

/**
 * The digest of a text. Digests have one length, so that comparing them reveals nothing, not even the length of a
 * token.
 */
function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
