import type { Socket } from 'node:net';
import { sha256 } from '../kernel/hash.ts';
import { isLoopback } from './authority.ts';
import { userOf } from './peer.ts';
import { peerOf } from './shares.ts';

/**
 * Counts wrong tokens by who sends them, so that nobody can guess for long. The same wrong token counts once: a client
 * with an old one keeps nobody out. A connection that has shown the right one before is never made to wait, nor is a right
 * one of some length, which cannot have been guessed.
 */
export interface Attempts {
  /** What came of trying a token: for how many seconds no other may be tried, where it was not even looked at. */
  attempt(socket: Socket, token: string, isRight: () => boolean): 'right' | 'wrong' | number;
}

/** Characters of a token that nobody guesses. */
export const shortestToken = 16;
/** Different wrong tokens in one minute. */
const most = 20;
const windowMs = 60_000;
/** Peers that are remembered. */
const mostPeers = 10_000;

export function createAttempts(now: () => number = Date.now): Attempts {
  const wrong = new Map<string, { readonly ends: number; readonly digests: Set<string> }>();
  const known = new WeakSet<Socket>();

  function note(peer: string, digest: string): void {
    const noted = wrong.get(peer) ?? { ends: now() + windowMs, digests: new Set() };
    noted.digests.add(digest);
    wrong.set(peer, noted); // in the order in which their minutes end
    const [oldest] = wrong.keys();
    if (wrong.size > mostPeers && oldest !== undefined) wrong.delete(oldest);
  }

  /** Seconds until this token may be tried. */
  function waitOf(socket: Socket, token: string): number {
    const noted = wrong.size === 0 ? undefined : wrong.get(whoseIs(socket));
    if (noted === undefined || noted.digests.size < most || noted.digests.has(sha256(token))) return 0;
    return Math.ceil((noted.ends - now()) / 1000);
  }

  function forgetOld(): void {
    for (const [peer, { ends }] of wrong) {
      if (ends > now()) return;
      wrong.delete(peer);
    }
  }

  return {
    attempt(socket, token, isRight) {
      forgetOld();
      // A long one that is right was not guessed; behind a proxy, all have the address of those who guess. Asked once: some
      // tokens are good for one time only.
      const isFree = token.length >= shortestToken || known.has(socket);
      if ((isFree || waitOf(socket, token) === 0) && isRight()) {
        known.add(socket);
        return 'right';
      }
      const seconds = waitOf(socket, token);
      if (seconds > 0) return seconds;
      note(whoseIs(socket), sha256(token));
      return 'wrong';
    },
  };
}

/** On this machine all have the same address, and the system knows which user each connection belongs to. */
function whoseIs(socket: Socket): string {
  const peer = peerOf(socket.remoteAddress);
  const user = isLoopback(peer) || peer === peerOf('::1') ? userOf(socket) : undefined;
  return user === undefined ? peer : `${peer} user ${user}`;
}
