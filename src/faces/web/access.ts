import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { tooManyWrong } from '../http/access.ts';
import { createAttempts } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';
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
  /** Whether a token is that of a link, or the server's own where it has one; throws after too many wrong ones. */
  letsIn(token: string, exchange: Exchange): boolean;
  /** The cookie for a client that was let in. */
  cookieFor(exchange: Exchange): string;
  /** The reason why a request is not let in; null where it is. */
  problemWith(exchange: Exchange): Problem | null;
}

export type Problem = 'nobody' | 'other-page';

export function createAccess(serverToken: string | undefined): Access {
  const token = randomBytes(32).toString('base64url');
  const tokens = [token, ...(serverToken === undefined ? [] : [serverToken])].map(digestOf);
  const visits = createVisits();

  const accepts = (text: string): boolean => {
    const digest = digestOf(text);
    return tokens.filter((one) => timingSafeEqual(one, digest)).length > 0; // compares all, to take constant time
  };
  const passes = createPasses();
  const attempts = createAttempts();

  function tries(given: string, { client }: Exchange, isRight: () => boolean): boolean {
    const verdict = attempts.attempt(client, given, isRight);
    if (typeof verdict !== 'number') return verdict === 'right';
    throw new Refusal('too-many', tooManyWrong, `Wait ${verdict} seconds.`, { 'Retry-After': String(verdict) });
  }

  return {
    token,
    pass: () => passes.make(),
    letsIn: (given, exchange) => tries(given, exchange, () => accepts(given) || passes.takes(given, exchange.request)),
    cookieFor: ({ request, client, base }) =>
      [
        `${cookieName(client)}=${visits.begin(request)}; Path=${base}/; HttpOnly; SameSite=Strict`,
        ...(client.scheme === 'https' ? ['Secure'] : []),
      ].join('; '),
    problemWith(exchange) {
      const { request } = exchange;
      const bearer = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
      // A page cannot make a browser add this header by itself: a sender that has the token knows it.
      if (bearer !== undefined) return tries(bearer, exchange, () => accepts(bearer)) ? null : 'nobody';
      // Pages on other ports of this machine can set cookies of any name: theirs must not hide ours.
      if (!cookiesIn(exchange).some((given) => visits.goOn(given, request))) return 'nobody';
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
function cookieName({ host = '' }: Exchange['client']): string {
  return `repertoire-${/:(\d+)$/.exec(host)?.[1] ?? 'default'}`;
}

function cookiesIn({ request, client }: Exchange): string[] {
  const wanted = `${cookieName(client)}=`;
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
