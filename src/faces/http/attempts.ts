import { readFileSync } from 'node:fs';
import { isIPv4, type Socket } from 'node:net';
import { attempt } from '../../core/attempt.ts';
import { sha256 } from '../../core/hash.ts';
import type { Client } from './clients.ts';
import { peerOf } from './clients.ts';
import { isLoopback } from './guards.ts';

/** Files in which the system lists this machine's connections, with the user of each. Only Linux has them. */
const lists = ['/proc/net/tcp', '/proc/net/tcp6'] as const;
const established = '01';

/**
 * Whether the other end of a connection is a program of another user of this machine. Root does not count: it can read
 * everything anyway, and stands between this system and a browser outside of it. False where the system does not say.
 */
export function isOfAnotherUser(socket: Socket): boolean {
  const [own, user] = [process.getuid?.(), userOf(socket)];
  return own !== undefined && user !== undefined && user !== own && user !== 0;
}

/** Users by connection: a connection stays with the user who made it. */
const users = new WeakMap<Socket, { readonly user: number | undefined }>();

/**
 * The user of this machine whose program is at the other end; undefined where that is elsewhere, or the system does not
 * say.
 */
export function userOf(socket: Socket): number | undefined {
  const known = users.get(socket) ?? { user: lists.flatMap(linesOf).flatMap((line) => userIn(line, socket) ?? [])[0] };
  users.set(socket, known);
  return known.user;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

/** The user of the other end, if a line is about it; an end that is closed already belongs to nobody. */
export function userIn(line: string, { remoteAddress, remotePort, localAddress, localPort }: Ends): number | undefined {
  const [, near = '', far = '', state, , , , user] = line.trim().split(/\s+/);
  const isAboutIt = isPlace(near, remoteAddress, remotePort) && isPlace(far, localAddress, localPort);
  if (!isAboutIt) return undefined;
  return state === established ? Number(user) : -1;
}

/** Whether a listed endpoint is this address and port; either side may write an IPv4 address as an IPv6 one. */
function isPlace(text: string, address = '', port = 0): boolean {
  const [number = '', portText = ''] = text.split(':');
  if (Number.parseInt(portText, 16) !== port) return false;
  const wanted = spelled(address.replace(/^::ffff:(?=\d+\.)/i, ''));
  return number === wanted || (wanted.length === 8 && number === spelled('::ffff:0:0').slice(0, 24) + wanted);
}

/** The address as the lists write it: in words of four bytes, each in the byte order of this machine. */
function spelled(address: string): string {
  const words = new Uint32Array(Uint8Array.from(bytesOf(address)).buffer);
  return [...words].map((word) => word.toString(16).toUpperCase().padStart(8, '0')).join('');
}

function bytesOf(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  const [before = [], after = []] = address.replace(/%.*/, '').split('::').map(groupsIn);
  const zeros = Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0);
  return [...before, ...zeros, ...after].slice(0, 8).flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsIn(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16) || 0);
}

function linesOf(list: string): string[] {
  return attempt(() => readFileSync(list, 'latin1').split('\n').slice(1), []);
}

/**
 * Counts wrong tokens by sender, so that nobody can guess for long. Repeating one wrong token counts once: a client
 * with an old one keeps nobody out. A connection that has shown the right one before is never made to wait, nor is a
 * right one of some length, which cannot have been guessed.
 */
interface Attempts {
  /** Tries a token. A number means that it was not even checked: seconds for which no other may be tried. */
  attempt(client: Sender, token: string, isRight: () => boolean): 'right' | 'wrong' | number;
}

type Sender = Pick<Client, 'socket' | 'peer' | 'isProxied'>;

/** Characters from which a token cannot be guessed. */
export const shortestToken = 16;
/** Number of different wrong tokens in one minute. */
const most = 20;
const windowMs = 60_000;
/** Number of peers that are remembered. */
const mostPeers = 10_000;

export function createAttempts(now: () => number = Date.now): Attempts {
  const wrong = new Map<string, { readonly ends: number; readonly digests: Set<string> }>();
  const known = new WeakSet<Socket>();

  function note(peer: string, digest: string): void {
    const noted = wrong.get(peer) ?? { ends: now() + windowMs, digests: new Set() };
    noted.digests.add(digest);
    wrong.set(peer, noted); // keeps the order in which their minutes end
    const [oldest] = wrong.keys();
    if (wrong.size > mostPeers && oldest !== undefined) wrong.delete(oldest);
  }

  /** Seconds until this token may be tried. */
  function waitOf(client: Sender, token: string): number {
    const noted = wrong.size === 0 ? undefined : wrong.get(whoseIs(client));
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
    attempt(client, token, isRight) {
      forgetOld();
      const { socket, isProxied } = client;
      // A long token that is right was not guessed; behind a proxy, all clients share the address of those who guess.
      // Checked once: some tokens are good for one time only.
      const isFree = token.length >= shortestToken || known.has(socket);
      if ((isFree || waitOf(client, token) === 0) && isRight()) {
        // Clients of a proxy share its connections.
        if (!isProxied) known.add(socket);
        return 'right';
      }
      const seconds = waitOf(client, token);
      if (seconds > 0) return seconds;
      note(whoseIs(client), sha256(token));
      return 'wrong';
    },
  };
}

/**
 * The sender that attempts are counted for. On this machine all have one address, but the system knows each
 * connection's user.
 */
function whoseIs({ socket, peer, isProxied }: Sender): string {
  const isHere = !isProxied && (isLoopback(peer) || peer === peerOf('::1'));
  const user = isHere ? userOf(socket) : undefined;
  return user === undefined ? peer : `${peer} user ${user}`;
}
