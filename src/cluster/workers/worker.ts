import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { RuntimeName } from '../../run/policy/types.ts';
import type { Enforcement, Stream, Watcher } from '../../run/sandbox/types.ts';
import type { Cluster } from '../connection.ts';
import { announce } from '../members.ts';
import {
  abandonedMs,
  beatMs,
  bytesOf,
  type Control,
  controlSchema,
  type Declined,
  type Ending,
  type FrameKind,
  keyOf,
  listen,
  messageIn,
  type Offer,
  offerSchema,
  subjectsIn,
  type WorkerFacts,
} from './messages.ts';
import type { Pulse } from './pulse.ts';

export interface WorkerOptions {
  readonly name: string;
  readonly labels: readonly string[];
  readonly runtimes: readonly RuntimeName[];
  /** Number of executions at once. */
  readonly concurrency: number;
  readonly enforcement: readonly Enforcement[];
  /** Gives signs of life while this thread is too busy. */
  readonly pulse: Pulse;
  /**
   * Runs what was offered, once the caller still wants it. Never rejects; null where the files of the skill are not to be
   * had, and nothing was run.
   */
  run(offer: Offer, watcher: Watcher, wanted: Promise<boolean>): Promise<Ending | null>;
}

/** A worker that takes executions until it is told to stop. */
export interface Worker {
  readonly running: number;
  /** Takes nothing more, and resolves when everything that runs has ended and been told. */
  drain(): Promise<void>;
  /** Ends what runs. */
  stop(): void;
}

/** Bytes of output in one message. */
const mostBytes = 256 * 1024;
/** Milliseconds that the frames of an ended run are kept for a caller that lacks some. */
const lingerMs = 10_000;

/** Takes executions that callers offer, by runtime and labels. What is told of each is kept until the caller has it. */
export function startWorker(cluster: Cluster, connection: NatsConnection, options: WorkerOptions): Worker {
  const { name, labels, runtimes, concurrency } = options;
  const subjects = subjectsIn(cluster.names);
  /** Callers address what they say to this process: one of the same name after it must not obey. */
  const control = randomUUID();
  const taken = new Map<string, Taking>();
  let running = 0;
  let isDraining = false;
  let settled: () => void = () => {};

  const decline = (offer: Offer, reason: Declined['reason']): void =>
    connection.publish(`${placeOf(offer)}.declined.0`, bytesOf({ worker: name, reason }));

  const onOffer = (message: Msg): void => {
    const offer = messageIn(offerSchema, message.data);
    if (offer === null || taken.has(keyOf(offer))) return;
    if (isDraining) decline(offer, 'draining');
    else if (offer.not.includes(control)) decline(offer, 'excluded');
    else if (running >= concurrency) decline(offer, 'full');
    else void take(offer);
  };

  async function take(offer: Offer): Promise<void> {
    running++;
    const taking = beginTaking(cluster, connection, offer);
    taken.set(keyOf(offer), taking);
    taking.send('taken', bytesOf({ worker: name, control }));
    const outcome = options.run(offer, taking.watcher, taking.wanted);
    // Whoever waits for the end need not wait for this as well.
    setImmediate(() => options.pulse.begin(placeOf(offer)));
    const ending = await outcome;
    running--;
    if (ending === null) taking.send('declined', bytesOf({ worker: name, reason: 'bundle' }));
    else taking.send('end', bytesOf(ending));
    await taking.told();
    options.pulse.end(placeOf(offer));
    taken.delete(keyOf(offer));
    settled();
  }

  const facts = (): WorkerFacts => ({
    id: control,
    name,
    host: hostname(),
    labels,
    runtimes,
    running,
    capacity: concurrency,
    state: isDraining ? 'draining' : 'ready',
    enforcement: options.enforcement,
  });

  const offers: readonly Subscription[] = runtimes.flatMap((runtime) =>
    setsOf(labels).map((set) => listen(connection, subjects.offers(runtime, set), onOffer, { queue: 'workers' })),
  );
  listen(connection, subjects.control(control, '*'), (message) => {
    const said = messageIn(controlSchema, message.data);
    if (said !== null) taken.get(message.subject.split('.').at(-1) ?? '')?.obey(said);
  });
  void announce(cluster, control, () => ({ worker: facts() })).catch(() => {}); // closed before it was connected
  options.pulse.speakFor(facts());

  return {
    get running() {
      return running;
    },
    async drain() {
      isDraining = true;
      options.pulse.speakFor(facts());
      // What is on its way here is declined, and offered to others.
      for (const subscription of offers) void subscription.drain().catch(() => {});
      while (taken.size > 0) {
        await new Promise<void>((resolve) => {
          settled = resolve;
        });
      }
    },
    stop() {
      for (const taking of taken.values()) taking.stop();
    },
  };
}

/** The inbox for one attempt of an execution. */
function placeOf({ inbox, id, attempt }: Offer): string {
  return `${inbox}.${keyOf({ id, attempt })}`;
}

/** All sets that can be made of labels: a caller wants some of them. */
function setsOf(labels: readonly string[]): readonly (readonly string[])[] {
  const [first, ...others] = labels;
  if (first === undefined) return [[]];
  return setsOf(others).flatMap((set) => [set, [first, ...set]]);
}

/** One execution that was taken. */
interface Taking {
  readonly watcher: Watcher;
  /**
   * Resolves with the first word of the caller: it may have given up the offer before it came here, and have been told
   * that nothing was run.
   */
  readonly wanted: Promise<boolean>;
  send(kind: FrameKind, bytes: Uint8Array): void;
  obey(said: Control): void;
  stop(): void;
  /** Resolves when the caller has everything, or nobody asks for it any more. */
  told(): Promise<void>;
}

function beginTaking(cluster: Cluster, connection: NatsConnection, offer: Offer): Taking {
  const place = placeOf(offer);
  const cancelling = new AbortController();
  const frames = new Map<number, readonly [kind: FrameKind, bytes: Uint8Array]>();
  let next = 0;
  const detaching = new AbortController();
  let silentMs = 0;
  let isTold: () => void = () => {};
  const told = new Promise<void>((resolve) => {
    isTold = resolve;
  });

  let decided: (isWanted: boolean) => void = () => {};
  const wanted = new Promise<boolean>((resolve) => {
    decided = resolve;
  });

  const publish = (kind: FrameKind, number: number, bytes?: Uint8Array): void => {
    if (!connection.isClosed()) connection.publish(`${place}.${kind}.${number}`, bytes);
  };
  const send = (kind: FrameKind, bytes: Uint8Array): void => {
    frames.set(next, [kind, bytes]);
    publish(kind, next++, bytes);
  };
  /** Drops the frames that the caller has. */
  const forget = (before: number): void => {
    for (const number of frames.keys()) if (number < before) frames.delete(number);
  };
  const stop = (): void => {
    decided(false);
    cancelling.abort();
  };
  const beat = setInterval(() => {
    // While we are cut off ourselves, the silence of others says nothing.
    if (cluster.status.state === 'connected') silentMs += beatMs;
    if (silentMs >= abandonedMs && !detaching.signal.aborted) stop();
    publish('beat', next);
  }, beatMs);

  return {
    send,
    stop,
    wanted,
    watcher: {
      signal: cancelling.signal,
      detached: detaching.signal,
      onKept: () => send('kept', new Uint8Array()),
      onOutput(stream: Stream, bytes) {
        for (let at = 0; at < bytes.length; at += mostBytes) send(stream, bytes.slice(at, at + mostBytes));
      },
      ...(offer.measured && { onUsage: (usage) => publish('usage', next, bytesOf(usage)) }),
    },
    obey(said) {
      silentMs = 0;
      if (said.job) detaching.abort();
      if (said.cancel) stop();
      else decided(true);
      forget(said.next);
      if (said.again) for (const [number, [kind, bytes]] of frames) publish(kind, number, bytes);
      if (said.done) isTold();
    },
    async told() {
      const timer = setTimeout(isTold, lingerMs);
      await told;
      clearTimeout(timer);
      clearInterval(beat);
    },
  };
}
