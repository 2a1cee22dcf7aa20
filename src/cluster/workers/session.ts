import type { NatsConnection } from '@nats-io/transport-node';
import { usageSchema, type Watcher } from '../../run/sandbox/types.ts';
import type { Cluster } from '../connection.ts';
import {
  beatMs,
  bytesOf,
  type Control,
  type Declined,
  declinedSchema,
  type Ending,
  endingSchema,
  keyOf,
  lostMs,
  messageIn,
  type Offer,
  subjectsIn,
  type Taken,
  takenSchema,
} from './messages.ts';

/** The answer to an offer: a worker takes it, declines it, is not there at all, or says nothing. */
export type Answer =
  | ({ readonly kind: 'taken' } & Taken)
  | ({ readonly kind: 'declined' } & Declined)
  | { readonly kind: 'nobody' }
  | { readonly kind: 'silent' };

/** The end of an execution that was taken. */
export type End =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'lost' }
  | { readonly kind: 'bundle' };

/** One offer, and the execution that comes of it. */
export interface Session {
  readonly answer: Promise<Answer>;
  readonly end: Promise<End>;
  /** Takes a frame of the worker: its kind, its number, and what is in it. */
  onFrame(kind: string, number: number, bytes: Uint8Array): void;
}

/** Milliseconds between looks at how long a worker has been silent. */
const lookMs = 250;
/** Milliseconds without a word after which a worker is given up even if it is we who were cut off. */
const cutOffMs = 10_000;

/** Offers an execution, and follows it to its end. Frames that were lost on the way are asked for again. */
export function openSession(cluster: Cluster, connection: NatsConnection, offer: Offer, watcher: Watcher): Session {
  const key = keyOf(offer);
  const subjects = subjectsIn(cluster.names);
  const left = { stdout: offer.limits.outputBytes, stderr: offer.limits.outputBytes };
  let answered: (answer: Answer) => void = () => {};
  const answer = new Promise<Answer>((resolve) => {
    answered = resolve;
  });
  let ended: (end: End) => void = () => {};
  const end = new Promise<End>((resolve) => {
    ended = resolve;
  });
  let control: string | null = null;
  let expected = 0;
  let ticks = 0;
  let [silentMs, quietMs] = [0, 0];
  let asked = 0;

  const wishes = [watcher.signal, watcher.detached];
  const say = (more: Partial<Control> = {}): void => {
    if (control === null || connection.isClosed()) return;
    const now = { cancel: watcher.signal.aborted, job: watcher.detached?.aborted ?? false };
    const said = { next: expected, again: false, ...now, done: false };
    connection.publish(subjects.control(control, key), bytesOf({ ...said, ...more }));
  };
  const tell = (): void => say();
  const finish = (how: End): void => {
    clearInterval(timer);
    for (const wish of wishes) wish?.removeEventListener('abort', tell);
    say(how.kind === 'lost' ? { cancel: true } : { done: true });
    answered({ kind: 'silent' });
    ended(how);
  };
  const timer = setInterval(() => {
    // A process that was held up finds one tick due, not many: what arrived meanwhile is read before the next.
    if (cluster.status.state === 'connected') silentMs += lookMs;
    quietMs += lookMs;
    if (silentMs >= lostMs || quietMs >= cutOffMs) finish({ kind: 'lost' });
    else if (++ticks % (beatMs / lookMs) === 0) say();
  }, lookMs);
  for (const wish of wishes) wish?.addEventListener('abort', tell);

  const missing = (): void => {
    if (performance.now() - asked < lookMs / 2) return;
    asked = performance.now();
    say({ again: true });
  };

  const kinds: Readonly<Record<string, (bytes: Uint8Array) => void>> = {
    taken(bytes) {
      const taken = messageIn(takenSchema, bytes);
      if (taken === null) return;
      control = taken.control;
      answered({ kind: 'taken', ...taken });
      say(); // it waits for a word of us: nothing is run of an offer that was given up
    },
    kept: () => watcher.onKept?.(),
    stdout: (bytes) => pass('stdout', bytes),
    stderr: (bytes) => pass('stderr', bytes),
    declined(bytes) {
      const declined = messageIn(declinedSchema, bytes);
      if (declined !== null) answered({ kind: 'declined', ...declined });
      finish({ kind: 'bundle' });
    },
    end(bytes) {
      const ending = messageIn(endingSchema, bytes);
      finish(ending === null ? { kind: 'lost' } : { kind: 'ended', ending });
    },
  };

  /** Hands on output, and no more of it than the caller has allowed, whatever a worker sends. */
  function pass(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    const piece = bytes.slice(0, left[stream]);
    left[stream] -= piece.length;
    if (piece.length > 0) watcher.onOutput(stream, piece);
  }

  return {
    answer,
    end,
    onFrame(kind, number, bytes) {
      // Whoever has not said that it takes it has not answered, whatever else comes: the frame that said so may be lost.
      if (control !== null || number === expected) [silentMs, quietMs] = [0, 0];
      if (kind === 'nobody') {
        answered({ kind: 'nobody' });
        finish({ kind: 'lost' });
      } else if (number > expected) missing();
      else if (kind === 'usage') {
        const usage = messageIn(usageSchema, bytes);
        if (usage !== null) watcher.onUsage?.(usage);
      } else if (number === expected && Object.hasOwn(kinds, kind)) {
        expected++;
        kinds[kind]?.(bytes);
      }
    },
  };
}
