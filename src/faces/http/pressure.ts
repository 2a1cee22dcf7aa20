import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';

// V8 usually collects garbage when the heap is several times as large as what is in use; when thrifty, when it is a
// tenth larger.
const [usualGrowth, thriftyGrowth] = ['--heap-growing-percent=0', '--heap-growing-percent=10'];
/** The flag that keeps V8's space for new objects as it is: by itself it grows to 32 MB, and to more in later Nodes. */
const fixedNewSpace = '--semi-space-growth-factor=1';
/** Time for which clients must have held little before the heap may grow as usual again. */
const calmMs = 30_000;

/**
 * Keeps a flood from filling the heap with garbage, from when clients hold more than a little until well after that: V8
 * decides at each collection how far the heap may grow until the next, and the pause between two waves of a flood is
 * long enough for one. Every request costs more meanwhile. The function returns whether the heap is being kept small.
 */
function createThrift(littleBytes: number): (heldBytes: number, now: number) => boolean {
  let isThrifty = false;
  let lastMuchAt = Number.NEGATIVE_INFINITY;
  return (heldBytes, now) => {
    if (heldBytes > littleBytes) lastMuchAt = now;
    const wasThrifty = isThrifty;
    isThrifty = now - lastMuchAt < calmMs;
    if (isThrifty !== wasThrifty) setFlagsFromString(isThrifty ? thriftyGrowth : usualGrowth);
    return isThrifty;
  };
}

/** The memory held by a connection with an exchange under way. */
export interface Loaded {
  readonly socket: Socket;
  readonly peer: string;
  /** Bytes of the request that is under way, of those behind it, and of the answer that has not been read. */
  readonly bytes: number;
  /** Whether the bytes wait for the client: to send the rest, or to read. Those of a request being worked on do not. */
  readonly awaitsClient: boolean;
}

/**
 * Keeps the bytes that all connections hold together below a limit, by closing those that have been stuck for longest:
 * above half of it those stuck for a moment, above all of it any.
 */
interface Pressure {
  readonly isScarce: boolean;
  /** Watches from the beginning of an exchange until all are over; called for each one. */
  watch(): void;
  close(): void;
}

interface PressureOptions {
  readonly limit: number;
  readonly connections: () => Iterable<Loaded>;
  readonly onDropped: (one: Loaded) => void;
  /** Called when memory is no longer scarce. */
  readonly onRelief: () => void;
}

const [soonMs, laterMs] = [250, 2000];
/** Number of exchanges after whose beginning memory is looked at in any case: a flood makes timers late. */
const mostBegun = 128;
const momentMs = 1000;

export function createPressure({ limit, connections, onDropped, onRelief }: PressureOptions): Pressure {
  /** Bytes that each connection held at the last check, and the time since which it holds that many. */
  let known = new Map<Socket, { readonly bytes: number; readonly since: number }>();
  const keepSmall = createThrift(limit / 64);
  setFlagsFromString(fixedNewSpace);
  let isScarce = false;
  let timer: NodeJS.Timeout | undefined;
  let isSoon = false;
  let begun = 0;

  function arm(soon: boolean): void {
    clearTimeout(timer);
    isSoon = soon;
    timer = setTimeout(look, soon ? soonMs : laterMs).unref();
  }

  function look(): void {
    clearTimeout(timer);
    timer = undefined;
    begun = 0;
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
    const isThrifty = keepSmall(left, now);
    if (wasScarce && !isScarce) onRelief();
    if (loaded.length > 0 || isThrifty) arm(known.size > 0);
  }

  /** Closes enough stuck connections, of the peer that holds most, the longest stuck first; returns the bytes left. */
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
      // Large answers are seen to move only when they have been read whole: they get a moment, while there is room.
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
      begun += 1;
      if (begun >= mostBegun) look();
      else if (!isSoon || timer === undefined) arm(true);
    },
    close: () => clearTimeout(timer),
  };
}

function sum(loaded: readonly Loaded[]): number {
  return loaded.reduce((all, { bytes }) => all + bytes, 0);
}

/** The urgency of a piece of work: a request by itself, or one of many that its client sent in one go. */
export type Urgency = 'alone' | 'among-many';

/**
 * Lets pieces of work begin one after another: peers take turns, a request by itself goes before batches and pipelines,
 * and every few pieces new input is read. So a client that asks for much at once waits longest.
 */
export interface Turns {
  /** Whether a request by itself may begin at once: no other waits, and little was begun since the last round. */
  isFree(): boolean;
  /** Queues a piece of work. Work among many that returns a promise takes up one of few places until it is settled. */
  take(peer: string, urgency: Urgency, begin: Begin): void;
  /** Resumes after a time in which work among many had to wait. */
  resume(): void;
}

type Begin = () => undefined | Promise<unknown>;

/**
 * Number of waiting pieces begun in one round of the event loop, and the time after which no more are: an answer takes
 * many rounds, so that a client that asks for little waits for as many times what a round takes.
 */
const [atOnce, roundMs] = [16, 2];
/** Number of pieces among many under way at once: their memory is soon freed, and not held while all go on together. */
const mostAmongMany = 1;
/** Interval, in pieces, at which a less urgent one is begun, so that they never starve. */
const sometimes = 8;

/** Creates the turns. While `isScarce` says that memory is scarce, work among many waits. */
export function createTurns(isScarce: () => boolean): Turns {
  const queues: Readonly<Record<Urgency, Queue>> = { alone: new Map(), 'among-many': new Map() };
  let scheduled = 0;
  let begun = 0;
  let amongMany = 0;
  /** The current round: the pieces begun at once when requests come in, and those begun after that from the queues. */
  let round: Round = { startedAt: 0 };
  let nextRound: Round = { startedAt: 0 };

  function next(): Begin | undefined {
    const [first, second] = begun % sometimes === 0 ? secondFirst : firstFirst;
    return nextIn(first) ?? nextIn(second);
  }

  function nextIn(urgency: Urgency): Begin | undefined {
    const mustWait = urgency === 'among-many' && (amongMany >= mostAmongMany || isScarce());
    return mustWait ? undefined : takeFrom(queues[urgency]);
  }

  function run(own: Round): void {
    scheduled -= 1;
    if (own !== round) {
      own.startedAt ||= performance.now();
      round = own;
      nextRound = { startedAt: 0 };
    } else if (performance.now() - own.startedAt > roundMs) {
      schedule();
      return;
    }
    const begin = next();
    if (begin === undefined) return;
    begun += 1;
    if (queues.alone.size + queues['among-many'].size > 0) schedule();
    const work = begin();
    if (work === undefined) return;
    amongMany += 1;
    void work.finally(() => {
      amongMany -= 1;
      schedule();
    });
  }

  function schedule(): void {
    if (scheduled >= atOnce) return;
    scheduled += 1;
    setImmediate(run, nextRound);
  }

  return {
    isFree() {
      if (queues.alone.size > 0) return false;
      if (nextRound.startedAt > 0) return performance.now() - nextRound.startedAt <= roundMs;
      nextRound.startedAt = performance.now();
      schedule();
      return true;
    },
    take(peer, urgency, begin) {
      const queue = queues[urgency];
      const waiting = queue.get(peer);
      if (waiting === undefined) queue.set(peer, [begin]);
      else waiting.push(begin);
      schedule();
    },
    resume: schedule,
  };
}

interface Round {
  startedAt: number;
}

const firstFirst = ['alone', 'among-many'] as const;
const secondFirst = ['among-many', 'alone'] as const;

/** Waiting pieces by peer; the peer in front is next. */
type Queue = Map<string, Begin[]>;

function takeFrom(queue: Queue): Begin | undefined {
  for (const [peer, waiting] of queue) {
    const begin = waiting.shift();
    queue.delete(peer);
    if (waiting.length > 0) queue.set(peer, waiting);
    return begin;
  }
  return undefined;
}
