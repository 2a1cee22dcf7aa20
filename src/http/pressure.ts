import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';

// Usually garbage is collected when the heap is several times as large as what is in use, and the space for new objects grows to
// 32 MB, or to 128 in later versions of Node. Thriftily, the heap gets a fifth more than is in use, and that space grows no more.
const usually = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];
const thriftily = ['--heap-growing-percent=20', '--semi-space-growth-factor=1'];
let isThrifty = false;

/**
 * Keeps a flood from filling the heap with garbage, from when clients hold more than a little until they hold nothing. Every
 * request costs more meanwhile.
 */
function tendHeap(heldBytes: number, littleBytes: number): void {
  const wasThrifty = isThrifty;
  isThrifty = heldBytes > (wasThrifty ? 0 : littleBytes);
  if (isThrifty !== wasThrifty) for (const flag of isThrifty ? thriftily : usually) setFlagsFromString(flag);
}

/** A connection with an exchange under way, as far as its memory goes. */
export interface Loaded {
  readonly socket: Socket;
  readonly peer: string;
  /** Bytes of the request that is under way, of those behind it, and of the answer that has not been read. */
  readonly bytes: number;
  /** Whether the bytes wait for the client: to send the rest, or to read. Those of a request that is worked on do not. */
  readonly awaitsClient: boolean;
}

/**
 * Keeps what all connections hold together below a limit, by closing those that have been stuck for longest: beyond half of
 * it those that have been so for a moment, beyond all of it any.
 */
export interface Pressure {
  readonly isScarce: boolean;
  /** To be called when an exchange begins: it is looked at until all are over. */
  watch(): void;
  close(): void;
}

export interface PressureOptions {
  readonly limit: number;
  readonly connections: () => Iterable<Loaded>;
  readonly onDropped: (one: Loaded) => void;
  /** Called when memory is no longer scarce. */
  readonly onRelief: () => void;
}

const [soonMs, laterMs] = [250, 2000];
const momentMs = 1000;

export function createPressure({ limit, connections, onDropped, onRelief }: PressureOptions): Pressure {
  /** How much each had when it was last looked at, and since when it is that much. */
  let known = new Map<Socket, { readonly bytes: number; readonly since: number }>();
  let isScarce = false;
  let timer: NodeJS.Timeout | undefined;
  let isSoon = false;

  function arm(soon: boolean): void {
    clearTimeout(timer);
    isSoon = soon;
    timer = setTimeout(look, soon ? soonMs : laterMs).unref();
  }

  function look(): void {
    timer = undefined;
    const now = performance.now();
    const loaded = [...connections()];
    const before = known;
    known = new Map();
    for (const { socket, bytes } of loaded) {
      const last = before.get(socket);
      if (bytes > 0) known.set(socket, { bytes, since: last?.bytes === bytes ? last.since : now });
    }
    const left = relieve(loaded, now);
    const wasScarce = isScarce;
    isScarce = left > limit / 2;
    tendHeap(left, limit / 64);
    if (wasScarce && !isScarce) onRelief();
    if (loaded.length > 0) arm(known.size > 0);
  }

  /** What is left after closing enough of those that are stuck: of the peer that holds most, the longest stuck first. */
  function relieve(loaded: readonly Loaded[], now: number): number {
    let all = sum(loaded);
    if (all <= limit / 2) return all;
    const byPeer = new Map<string, Loaded[]>();
    for (const one of loaded) {
      const others = byPeer.get(one.peer);
      if (others === undefined) byPeer.set(one.peer, [one]);
      else others.push(one);
    }
    const largestFirst = [...byPeer.values()].sort((one, other) => sum(other) - sum(one));
    for (const one of largestFirst.flatMap((items) => items.sort(bySince))) {
      if (all <= limit / 2) break;
      // Large answers are seen to move only when they have been read whole: they are given a moment, while there is room.
      const mayGo = sinceOf(one) < now - momentMs || all > limit;
      if (!one.awaitsClient || !mayGo) continue;
      all -= one.bytes;
      onDropped(one);
      one.socket.destroy();
    }
    return all;
  }

  const sinceOf = ({ socket }: Loaded): number => known.get(socket)?.since ?? Number.POSITIVE_INFINITY;
  const bySince = (one: Loaded, other: Loaded): number => sinceOf(one) - sinceOf(other);

  return {
    get isScarce() {
      return isScarce;
    },
    watch() {
      if (!isSoon || timer === undefined) arm(true);
    },
    close: () => clearTimeout(timer),
  };
}

function sum(loaded: readonly Loaded[]): number {
  return loaded.reduce((all, { bytes }) => all + bytes, 0);
}
