import { randomBytes } from 'node:crypto';
import { sha256 } from '../../core/hash.ts';
import { userOf } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';

type Request = Exchange['request'];

/**
 * Clients that were let in, by the secrets of their cookies. A browser sends a cookie to every port of a machine, and
 * so to servers of other users there, who could use it themselves: one that was given to a program of one user is no
 * good to another's.
 */
export interface Visits {
  /** Makes the secret for a cookie. */
  begin(request: Request): string;
  /** Whether a secret was given to this sender. */
  goOn(secret: string, request: Request): boolean;
}

/** Number of visits remembered; a closed browser does not say goodbye. */
const mostVisits = 1000;

export function createVisits(): Visits {
  /** Users by the digests of the secrets: the timing of a lookup by digest reveals nothing. */
  const users = new Map<string, number | undefined>();
  return {
    begin({ socket }) {
      const [oldest] = users.keys();
      if (users.size >= mostVisits && oldest !== undefined) users.delete(oldest);
      const secret = randomBytes(32).toString('base64url');
      users.set(sha256(secret), userOf(socket));
      return secret;
    },
    goOn(secret, { socket }) {
      const digest = sha256(secret);
      return users.has(digest) && users.get(digest) === userOf(socket);
    },
  };
}
