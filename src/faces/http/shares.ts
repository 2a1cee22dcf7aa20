import { isIPv6 } from 'node:net';

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
