import { hash, timingSafeEqual } from 'node:crypto';
import { SkillError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { answerJson, refuse, rpcCodes } from './answers.ts';
import { createAttempts, shortestToken } from './attempts.ts';
import type { Client } from './clients.ts';
import type { Exchange, Route } from './exchange.ts';
import { isLoopback } from './guards.ts';
import { hasScope, type Identity, type Scope, scopes } from './identity.ts';
import type { OAuth } from './oauth.ts';

/** Access control by bearer tokens: the server's own, and those of an authorization server. */
export interface Access {
  /** Whether an exchange carries a token that opens this server; answers it where not. Notes whom it speaks for. */
  admits(exchange: Exchange): boolean | Promise<boolean>;
  /**
   * Whether an exchange for a route with an access control of its own may go on: notes whom the token of an authorization
   * server speaks for, and answers where it is wrong. Whatever else there is, is for the route to judge.
   */
  identifies(exchange: Exchange): boolean | Promise<boolean>;
  /** Routes where clients learn how to get a token. They need none. */
  readonly routes: Readonly<Record<string, Route>>;
}

interface AccessOptions {
  /** The server's own token. */
  readonly token: string | undefined;
  readonly oauth: OAuth | undefined;
  readonly issuer: string | undefined;
  /** The URL that the client of an exchange uses for the protocol. */
  readonly resource: (exchange: Exchange) => string;
  /** Paths of the URLs that clients may use for it. */
  readonly resourcePaths: readonly string[];
}

export function createAccess(options: AccessOptions): Access {
  const { token, oauth } = options;
  if (token === undefined && oauth === undefined) return { admits: () => true, identifies: () => true, routes: {} };
  const isOwn = token === undefined ? () => 'wrong' as const : ownTokenCheck(token);
  const metadataFor = (exchange: Exchange): string | undefined =>
    oauth && metadataUrl(options.resource(exchange), exchange.base);

  async function admitsIdentity(exchange: Exchange, presented: string): Promise<boolean> {
    const identity = await oauth?.verify(presented, options.resource(exchange));
    if (identity === undefined || 'refused' in identity) {
      if (identity?.refused === 'unchecked') {
        refuse(exchange, 503, rpcCodes.refused, identity.message, { 'Retry-After': '5' });
      } else challenge(exchange, 401, identity?.message ?? complaints.wrong, 'invalid_token', metadataFor(exchange));
      return false;
    }
    exchange.identity = { ...identity, resourceMetadata: metadataFor(exchange) };
    endWith(exchange, identity);
    return requireScope(exchange, 'skills:read');
  }

  return {
    admits(exchange) {
      const presented = bearerIn(exchange);
      if (presented === undefined) {
        challenge(exchange, 401, complaints.missing, undefined, metadataFor(exchange));
        return false;
      }
      if (oauth !== undefined && isJwt(presented)) return admitsIdentity(exchange, presented);
      const verdict = isOwn(exchange.client, presented);
      if (verdict === 'right') return true;
      if (verdict === 'wrong') challenge(exchange, 401, complaints.wrong, 'invalid_token', metadataFor(exchange));
      else refuse(exchange, 429, rpcCodes.refused, tooManyWrong, { 'Retry-After': String(verdict) });
      return false;
    },
    identifies(exchange) {
      const presented = oauth === undefined ? undefined : bearerIn(exchange);
      return presented === undefined || !isJwt(presented) || admitsIdentity(exchange, presented);
    },
    routes: oauth === undefined ? {} : metadataRoutes(options),
  };
}

function bearerIn({ request: { headers } }: Exchange): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

function isJwt(token: string): boolean {
  return token.split('.').length === 3;
}

/** Whether the caller of an exchange has a scope; tells the client where not, so that it can ask its person for more. */
export function requireScope(exchange: Exchange, scope: Scope): boolean {
  const { identity } = exchange;
  if (hasScope(identity, scope)) return true;
  const message = `the token does not have the scope ${scope}, which is needed to ${scopes[scope]}`;
  const wanted = [...(identity?.scopes ?? []), scope].filter((one) => Object.hasOwn(scopes, one)).join(' ');
  challenge(exchange, 403, message, 'insufficient_scope', identity?.resourceMetadata, wanted);
  return false;
}

const complaints = {
  missing: 'a token is required: Authorization: Bearer TOKEN',
  wrong: 'the token is wrong',
} as const;

export const tooManyWrong = 'too many wrong tokens came from there; try again later';

/** Refuses an exchange, in the way from which OAuth clients learn what to do about it. */
function challenge(
  exchange: Exchange,
  status: 401 | 403,
  message: string,
  error: 'invalid_token' | 'insufficient_scope' | undefined,
  metadata: string | undefined,
  scope = metadata === undefined ? undefined : 'skills:read',
): void {
  const facts = { error, scope, resource_metadata: metadata };
  const listed = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : `${name}="${value}"`));
  const text = ['Bearer', listed.join(', ')].filter((part) => part !== '').join(' ');
  refuse(exchange, status, rpcCodes.refused, message, { 'WWW-Authenticate': text });
}

/** Ends a stream when the token that opened it does: the client comes back with a fresh one. */
export function endWith({ request, response }: Exchange, { expiresAt }: Identity): void {
  if (request.method !== 'GET') return;
  const timer = setTimeout(() => response.destroy(), Math.min(expiresAt * 1000 - Date.now(), longestTimer));
  response.once('close', () => clearTimeout(timer.unref()));
}

const longestTimer = 2 ** 31 - 1;

const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * The URL of the metadata of a resource: the well-known path goes before its own. Behind a proxy that sends us one part
 * of its paths alone, it stays within that part.
 */
function metadataUrl(resource: string, base: string): string {
  const { origin, pathname } = new URL(resource);
  const before = pathname.startsWith(`${base}/`) ? base : '';
  const own = pathname.slice(before.length);
  return `${origin}${before}${wellKnown}${own === '/' ? '' : own}`;
}

/** Metadata of this server as a protected resource, at the paths that belong to its URLs and at the plain one. */
function metadataRoutes({ issuer, resource, resourcePaths }: AccessOptions): Record<string, Route> {
  const answer: Route = (exchange) => {
    const metadata = {
      resource: resource(exchange),
      authorization_servers: [issuer],
      scopes_supported: Object.keys(scopes),
      bearer_methods_supported: ['header'],
      resource_name: 'Repertoire',
    };
    answerJson(exchange, 200, JSON.stringify(metadata), { 'Cache-Control': 'max-age=300' });
  };
  return Object.fromEntries(['', ...resourcePaths].map((path) => [`${wellKnown}${path}`, answer]));
}

const remedy =
  'Give one with --auth-token or REPERTOIRE_TOKEN, or in a file with --auth-token-file; for example from: openssl rand -hex 32';

/** Throws unless the token can protect a server at this host. Without one, only this machine may reach the server. */
export function checkToken(host: string, token: string | undefined, hasOAuth: boolean, log: Logger): void {
  if (token === undefined) {
    if (isLoopback(host) || hasOAuth) return;
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

/** Compares tokens with the server's own. A number is seconds to wait: too many wrong ones have come. */
function ownTokenCheck(token: string) {
  const expected = digest(token);
  const attempts = createAttempts();
  // Digests have one length, so that the comparison reveals nothing about the token, not even its length.
  return (client: Client, presented: string): 'right' | 'wrong' | number =>
    attempts.attempt(client, presented, () => timingSafeEqual(digest(presented), expected));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
