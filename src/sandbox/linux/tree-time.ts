import { statFieldsOf } from '../../kernel/owner.ts';
import { processesOf } from './tree.ts';

/** One process as it was when it was last looked at; times are in ticks. */
interface Seen {
  readonly started: string;
  /** Used by itself. */
  readonly own: number;
  /** Used by those of its children that it has waited for, and by theirs. */
  readonly waitedFor: number;
}

const none: Seen = { started: '', own: 0, waitedFor: 0 };

/** Of the clock in which the kernel tells programs their times, on every processor. */
const ticksPerSecond = 100;

/**
 * Counts the processor time of a tree of processes, where no control group does. A process that has ended hands its
 * time to whoever waits for it, and orphans are waited for by the first process inside. One that nobody waits for,
 * because its parent ignores its children, counts as far as it was seen.
 */
export function timeWatch(root: number): () => number {
  let before: ReadonlyMap<number, Seen> = new Map();
  let ticks = 0;
  return () => {
    const now = look(root);
    if (now.size > 0) {
      ticks += ticksBetween(before, now);
      before = now;
    }
    return ticks / ticksPerSecond;
  };
}

function look(root: number): ReadonlyMap<number, Seen> {
  const all = new Map<number, Seen>();
  for (const pid of processesOf(root) ?? []) {
    const fields = statFieldsOf(pid);
    if (fields === null) continue;
    const ticksAt = (place: number): number => Number(fields[place]) + Number(fields[place + 1]);
    all.set(pid, { started: fields[19] ?? '', own: ticksAt(11), waitedFor: ticksAt(13) });
  }
  return all;
}

/** What was used from one look to the next: never too much, since what was counted of the dead is not counted again. */
export function ticksBetween(before: ReadonlyMap<number, Seen>, now: ReadonlyMap<number, Seen>): number {
  let own = 0;
  let handedOn = 0;
  for (const [pid, one] of now) {
    const known = before.get(pid);
    const last = known?.started === one.started ? known : none;
    own += one.own - last.own;
    handedOn += one.waitedFor - last.waitedFor;
  }
  for (const [pid, one] of before) {
    if (now.get(pid)?.started !== one.started) handedOn -= one.own + one.waitedFor;
  }
  return own + Math.max(0, handedOn);
}
