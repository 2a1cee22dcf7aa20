import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { SkillError } from '../../core/errors.ts';

/** The client of a request: the other end of its connection or, behind a trusted proxy, what that says of it. */
export interface Client {
  readonly socket: Socket;
  readonly address: string | undefined;
  readonly peer: string;
  /** The authority that the client has asked for; missing where it is not clear. */
  readonly host: string | undefined;
  readonly scheme: 'http' | 'https';
  /** The beginning of the path that the proxy has cut off; empty, or it begins with a slash and ends without one. */
  readonly prefix: string;
  /** Whether a proxy is in between, whose connections clients share. */
  readonly isProxied: boolean;
}

/**
 * Makes the reader of clients. Anybody can send `X-Forwarded-*`: it counts only where the other end of the connection
 * is one of the proxies, and each of them must set or remove every one of these headers.
 */
export function createClients(trustedProxies: readonly string[]): (request: IncomingMessage) => Client {
  const isTrusted = createTrust(trustedProxies);
  return (request) => {
    const { socket } = request;
    const address = socket.remoteAddress;
    const scheme = 'encrypted' in socket ? 'https' : 'http';
    const direct = { socket, scheme, prefix: '', host: onlyHost(request) } as const;
    if (!isTrusted(address)) return { ...direct, address, peer: peerIn(socket), isProxied: false };
    const said = (name: string): string | undefined => lastOf(request.headers[`x-forwarded-${name}`]);
    const client = clientBehind(listIn(request.headers['x-forwarded-for']), isTrusted) ?? address;
    return {
      ...{ socket, address: client, peer: peerOf(client), isProxied: true },
      host: said('host') ?? direct.host,
      scheme: schemes[said('proto')?.toLowerCase() ?? ''] ?? scheme,
      prefix: parseBase(said('prefix') ?? '') ?? '',
    };
  };
}

const schemes: Readonly<Record<string, Client['scheme']>> = { http: 'http', https: 'https' };

/** Peers by connection: most clients send many requests on one. */
const peers = new WeakMap<Socket, string>();

export function peerIn(socket: Socket): string {
  const peer = peers.get(socket) ?? peerOf(socket.remoteAddress);
  peers.set(socket, peer);
  return peer;
}

/** The address of the client in a list to which each proxy has added whom it was asked by: the last that is no proxy. */
function clientBehind(hops: readonly string[], isTrusted: (address: string) => boolean): string | undefined {
  let client: string | undefined;
  for (const hop of hops.toReversed()) {
    const address = /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1');
    if (isIP(address) === 0) return client;
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

function createTrust(proxies: readonly string[]): (address: string | undefined) => boolean {
  if (proxies.length === 0) return () => false;
  const known = new BlockList();
  for (const text of proxies) {
    const [address = '', bits, ...more] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (isIP(address) === 0 || more.length > 0 || !(length <= most)) {
      throw new SkillError('usage', `'${text}' is not an address or a network of proxies to trust`, {
        hint: 'Give addresses or networks, as in --trusted-proxy 10.0.0.5 or --trusted-proxy 10.0.0.0/8',
      });
    }
    known.addSubnet(address, length, family);
  }
  return (given = '') => {
    const address = given.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
    const family = isIP(address);
    return family !== 0 && known.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Parses the path that stands before all others; null where it is none. The empty one is that of a server at `/`. */
export function parseBase(text: string): string | null {
  const base = text.replace(/\/$/, '');
  return /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/.test(base) ? base : null;
}

function listIn(header: string | readonly string[] | undefined): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The last of several values: the one that the nearest proxy has added. */
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  return listIn(header).at(-1);
}

/**
 * The `Host`, where there is exactly one. Node keeps the first of two lines; a proxy in front may have read the second.
 */
function onlyHost({ rawHeaders, headers }: IncomingMessage): string | undefined {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') seen += 1;
  }
  return seen === 1 ? headers.host : undefined;
}

/**
 * Limited items, each held by a peer. A peer is an address, or all addresses of one IPv6 network (/64), which a single
 * machine can have.
 */
interface Shares<T> {
  readonly size: number;
  add(peer: string, item: T): void;
  remove(peer: string, item: T): void;
  /** Moves an item behind all others of its peer, as the last to be given up. */
  touch(peer: string, item: T): void;
  /** Whether a peer can have one more item; idle ones of others are given up for it. */
  makeRoom(peer: string): boolean;
}

interface ShareOptions<T> {
  readonly limit: number;
  /** Tests for items that may be given up; those that pass the first test go first. */
  readonly idle: readonly ((item: T) => boolean)[];
  /** Ends an item; it must be removed when this returns. */
  readonly giveUp: (item: T) => void;
}

/**
 * Creates the shares. A peer may hold three times as much as is still free: alone, three quarters of all; beside
 * others, less. So there is always something left for the next peer. Beyond that the peer that holds most gives up its
 * least recently used items.
 */
export function createShares<T>({ limit, idle, giveUp }: ShareOptions<T>): Shares<T> {
  const held = new Map<string, Set<T>>();
  let size = 0;

  const hasRoom = (peer: string): boolean => (held.get(peer)?.size ?? 0) < 3 * (limit - size);

  function idlest(): T | undefined {
    const largestFirst = [...held.values()].sort((one, other) => other.size - one.size);
    for (const isIdle of idle) {
      for (const items of largestFirst) for (const item of items) if (isIdle(item)) return item;
    }
    return undefined;
  }

  return {
    get size() {
      return size;
    },
    add(peer, item) {
      const items = held.get(peer) ?? new Set();
      held.set(peer, items.add(item));
      size += 1;
    },
    remove(peer, item) {
      const items = held.get(peer);
      if (items?.delete(item) !== true) return;
      size -= 1;
      if (items.size === 0) held.delete(peer);
    },
    touch(peer, item) {
      const items = held.get(peer);
      if (items?.delete(item) === true) items.add(item);
    },
    makeRoom(peer) {
      while (!hasRoom(peer)) {
        const item = idlest();
        if (item === undefined) return false;
        giveUp(item);
      }
      return true;
    },
  };
}

/** The peer of an address. IPv4 written as IPv6 is the same peer. */
export function peerOf(address = ''): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
  if (!isIPv6(plain)) return plain;
  const [before = '', after] = plain.toLowerCase().split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  return `${[...head, ...Array<string>(zeros).fill('0'), ...tail].slice(0, 4).join(':')}::/64`;
}
