/** How urgent a piece of work is: a request by itself, or one of many that its client sent in one go. */
export type Urgency = 'alone' | 'among-many';

/**
 * Lets pieces of work begin one after another: peers take turns, a request by itself goes before batches and pipelines, and
 * between a few pieces whatever has come in meanwhile is heard. So a client that asks for much at once waits longest.
 */
export interface Turns {
  /** Whether a request by itself may begin at once: no other waits, and little was begun since all were last heard. */
  isFree(): boolean;
  /** Work among many that returns a promise takes up one of few places until it is settled. */
  take(peer: string, urgency: Urgency, begin: Begin): void;
  /** Goes on after a time in which work among many had to wait. */
  resume(): void;
}

type Begin = () => undefined | Promise<unknown>;

/**
 * Waiting pieces that are begun before the event loop goes round again, and the time after which none are: an answer takes many
 * rounds, so that whoever asks for little waits for as many times what a round takes.
 */
const [atOnce, roundMs] = [16, 2];
/** Pieces among many that are under way at once: what they make is soon done with, and not kept while all go on together. */
const mostAmongMany = 1;
/** Every so many pieces one of the less urgent is begun, so that they never wait for good. */
const sometimes = 8;

/** `isScarce` says whether memory is: work among many then waits. */
export function createTurns(isScarce: () => boolean): Turns {
  const queues: Readonly<Record<Urgency, Queue>> = { alone: new Map(), 'among-many': new Map() };
  let scheduled = 0;
  let begun = 0;
  let amongMany = 0;
  /** A round is what is begun at once when requests come in, and what is begun after that of those that wait. */
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

/** What waits, by peers; the one in front is next. */
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
