import { randomBytes } from 'node:crypto';
import { sha256 } from '../../core/hash.ts';
import { userOf } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';

type Request = Exchange['request'];

/**
 * Who was let in, by the secrets of their cookies. A browser sends a cookie to every port of a machine, and so to servers
 * of other users there, who could use it themselves: one that was given to a program of one user is no good to another's.
 */
export interface Visits {
  /** Makes the secret for a cookie. */
  begin(request: Request): string;
  /** Whether a secret was given to whoever sends it. */
  goOn(secret: string, request: Request): boolean;
}

/** A browser that was closed does not say so. */
const mostVisits = 1000;

export function createVisits(): Visits {
  /** By the digests of the secrets: what is looked up by those tells nothing by how long it takes. */
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
