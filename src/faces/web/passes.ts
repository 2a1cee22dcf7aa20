import { randomBytes } from 'node:crypto';
import { sha256 } from '../../core/hash.ts';
import { isOfAnotherUser } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';

type Request = Exchange['request'];

/**
 * Tokens that let in one browser, once and soon. A browser is opened by a command line, which every user of the machine
 * can read, for as long as the browser runs: a token that stays good must not be there.
 */
export interface Passes {
  make(): string;
  /** Whether a token is still good; using it ends that. */
  takes(token: string, request: Request): boolean;
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
