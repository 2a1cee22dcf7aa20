import { randomBytes } from 'node:crypto';
import { sha256 } from '../../core/hash.ts';
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
  /** Makes the secret for a cookie, of a person where one has signed in. */
  begin(request: Request, identity?: Identity): string;
  /** The visit of a secret, if it was given to this sender and is not over. */
  goOn(secret: string, request: Request): Visit | undefined;
  end(secret: string): void;
}

export interface Visit {
  readonly identity: Identity | undefined;
}

/** Number of visits remembered; a closed browser does not say goodbye. */
const mostVisits = 1000;

export function createVisits(): Visits {
  /** Visits by the digests of the secrets: the timing of a lookup by digest reveals nothing. */
  const visits = new Map<string, Visit & { readonly user: number | undefined }>();
  return {
    begin({ socket }, identity) {
      const [oldest] = visits.keys();
      if (visits.size >= mostVisits && oldest !== undefined) visits.delete(oldest);
      const secret = randomBytes(32).toString('base64url');
      visits.set(sha256(secret), { user: userOf(socket), identity });
      return secret;
    },
    goOn(secret, { socket }) {
      const visit = visits.get(sha256(secret));
      const isOver = visit?.identity !== undefined && visit.identity.expiresAt * 1000 <= Date.now();
      return visit !== undefined && !isOver && visit.user === userOf(socket) ? visit : undefined;
    },
    end: (secret) => void visits.delete(sha256(secret)),
  };
}
