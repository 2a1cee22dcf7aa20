import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../core/hash.ts';
import { type Infer, list, nullable, number, object, optional, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import type { VisitStore } from '../../engine/cluster/sessions.ts';
import { tooManyWrong } from '../http/access.ts';
import { createAttempts, isOfAnotherUser, userOf } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Identity } from '../http/identity.ts';
import { Refusal } from './answers.ts';

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

type Problem = 'nobody' | 'other-page';

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

type Request = Exchange['request'];

/**
 * Clients that were let in, by the secrets of their cookies. A browser sends a cookie to every port of a machine, and
 * so to servers of other users there, who could use it themselves: one that was given to a program of one user is no
 * good to another's.
 */
interface Visits {
  /** Makes the secret for a cookie. */
  begin(request: Request, visitor: Visitor): Promise<string>;
  /** The visit of a secret, if it was given to this sender and is not over. Rejects where nobody can tell just now. */
  goOn(secret: string, request: Request): Promise<Visit | undefined>;
  end(secret: string): Promise<void>;
}

interface Visit {
  readonly identity: Identity | undefined;
}

interface Visitor extends Visit {
  /** Whether other servers of the cluster let them in as well. */
  readonly isShared: boolean;
}

/** A visit, and the user of this machine whom it was given to. */
interface Known extends Visitor {
  readonly user: number | undefined;
}

/** A visit as servers tell each other of it. */
const sharedSchema = object({
  user: nullable(number()),
  // Of the token that let them in: to servers with another one they are nobody. Null for whoever has signed in.
  token: nullable(text()),
  identity: nullable(
    object({
      ...{ issuer: text(), subject: text(), clientId: optional(text()) },
      ...{ scopes: list(text()), groups: list(text()), expiresAt: number() },
    }),
  ),
});

/** Number of visits remembered; a closed browser does not say goodbye. */
const mostVisits = 1000;

/** The form of secrets: no other is looked for. */
const secretPattern = /^[\w-]{43}$/;

/** Remembers visits, and shares them by a store: those that the token of the server let in with servers that have the same. */
function createVisits(store?: VisitStore, serverToken = ''): Visits {
  const token = sha256(serverToken);
  /** Visits by the digests of the secrets: the timing of a lookup by digest reveals nothing. */
  const visits = new Map<string, Known>();

  function remember(digest: string, visit: Known): void {
    const [oldest] = visits.keys();
    if (visits.size >= mostVisits && oldest !== undefined) visits.delete(oldest);
    visits.set(digest, visit);
  }

  /** The visit as all servers know it: one that has ended on another is over here. While nobody can tell, it is as it was. */
  async function lookUp(digest: string): Promise<Known | undefined> {
    const here = visits.get(digest);
    if (store === undefined || here?.isShared === false) return here;
    try {
      const found = sharedIn(await store.find(digest), token);
      if (found === undefined) visits.delete(digest);
      else if (here === undefined) remember(digest, found);
      return found;
    } catch (error) {
      if (here !== undefined) return here;
      throw error;
    }
  }

  return {
    async begin({ socket }, { identity, isShared }) {
      const secret = randomBytes(32).toString('base64url');
      const digest = sha256(secret);
      const visit = { user: userOf(socket), identity };
      // One that the cluster does not have is good here alone.
      const isKept = isShared && (await store?.keep(digest, toShare(visit, token))) === true;
      remember(digest, { ...visit, isShared: isKept });
      return secret;
    },
    async goOn(secret, { socket }) {
      if (!secretPattern.test(secret)) return undefined;
      const visit = await lookUp(sha256(secret));
      const isOver = visit?.identity !== undefined && visit.identity.expiresAt * 1000 <= Date.now();
      return visit !== undefined && !isOver && visit.user === userOf(socket) ? visit : undefined;
    },
    async end(secret) {
      const digest = sha256(secret);
      const isShared = visits.get(digest)?.isShared;
      visits.delete(digest);
      if (isShared) await store?.forget(digest);
    },
  };
}

function toShare({ user, identity }: Omit<Known, 'isShared'>, token: string): string {
  const shared: Infer<typeof sharedSchema> = {
    user: user ?? null,
    token: identity === undefined ? token : null,
    identity: identity === undefined ? null : identityToShare(identity),
  };
  return JSON.stringify(shared);
}

function identityToShare({ issuer, subject, clientId, scopes, groups, expiresAt }: Identity) {
  return { issuer, subject, clientId, scopes: [...scopes], groups, expiresAt };
}

function sharedIn(told: string | undefined, ownToken: string): Known | undefined {
  const reading = told === undefined ? undefined : read(sharedSchema, JSON.parse(told));
  if (!reading?.ok) return undefined;
  const { user, identity, token } = reading.value;
  if (identity === null && token !== ownToken) return undefined;
  return {
    user: user ?? undefined,
    identity: identity === null ? undefined : { ...identity, scopes: new Set(identity.scopes) },
    isShared: true,
  };
}

/**
 * Tokens that let in one browser, once and soon. A browser is opened by a command line, which every user of the machine
 * can read, for as long as the browser runs: a token that stays good must not be there.
 */
interface Passes {
  make(): string;
  /** Whether a token is still good; using it ends that. */
  takes(token: string, request: Exchange['request']): boolean;
}

/** Time a token is good; a browser may have to be started first. */
const goodMs = 2 * 60 * 1000;

export function createPasses(now: () => number = Date.now): Passes {
  /** Expiry times by digest: the timing of a lookup by digest reveals nothing. */
  const ends = new Map<string, number>();
  return {
    make() {
      const token = randomBytes(32).toString('base64url');
      ends.set(sha256(token), now() + goodMs);
      return token;
    },
    takes(token, { socket }) {
      const digest = sha256(token);
      // A user who has read it off the command line is turned away, and the browser that it is for is still let in.
      if ((ends.get(digest) ?? 0) < now() || isOfAnotherUser(socket)) return false;
      return ends.delete(digest);
    },
  };
}
