import { randomBytes } from 'node:crypto';
import { sha256 } from '../../core/hash.ts';
import { type Infer, list, nullable, number, object, optional, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import type { VisitStore } from '../../engine/cluster/visits.ts';
import { userOf } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Identity } from '../http/identity.ts';

type Request = Exchange['request'];

/**
 * Clients that were let in, by the secrets of their cookies. A browser sends a cookie to every port of a machine, and
 * so to servers of other users there, who could use it themselves: one that was given to a program of one user is no
 * good to another's.
 */
export interface Visits {
  /** Makes the secret for a cookie. */
  begin(request: Request, visitor: Visitor): Promise<string>;
  /** The visit of a secret, if it was given to this sender and is not over. Rejects where nobody can tell just now. */
  goOn(secret: string, request: Request): Promise<Visit | undefined>;
  end(secret: string): Promise<void>;
}

export interface Visit {
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
export function createVisits(store?: VisitStore, serverToken = ''): Visits {
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
