import { sha256 } from '../../core/hash.ts';

const perKey = 2;
const inTotal = 8;
const idleMs = 60_000;

/** Something that was started and waits for its run. */
export interface Waiting {
  /** Whether it could be set up. */
  readonly ready: Promise<boolean>;
  /** Settles when no process of it is left. Never rejects. */
  readonly ended: Promise<unknown>;
  /** Ends it, if it was never used. */
  end(): Promise<void>;
  /** Sets whether this process stays alive until it has ended. */
  keepAlive(whether: 'yes' | 'no'): void;
}

/** A pool of children started ahead of their runs. Each serves one run and is never used again. */
export interface Pool<Setup, Child> {
  /** Takes a child that was started for this setup, ready or about to be; null if there is none. */
  take(setup: Setup): Promise<Child | null>;
  /** Starts one more child, if there is room. */
  fill(setup: Setup): void;
  /** Ends all children, and starts no more. */
  close(): Promise<void>;
}

interface Entry<Child> {
  readonly key: string;
  /** Settles when the child was started, ready or not: an order can wait for that. Null if it was not started. */
  readonly child: Promise<Child | null>;
  readonly timer: NodeJS.Timeout;
}

export function createPool<Setup extends object, Child extends Waiting>(
  start: (setup: Setup) => Promise<Child>,
): Pool<Setup, Child> {
  const waiting = new Set<Entry<Child>>();
  const going = new Set<Promise<unknown>>();
  let isClosed = false;

  const drop = (entry: Entry<Child>) => {
    waiting.delete(entry);
    clearTimeout(entry.timer);
    const gone = ending(entry.child).finally(() => going.delete(gone));
    going.add(gone);
  };

  const add = (setup: Setup, key: string) => {
    const child = launched(start(setup));
    const timer = setTimeout(() => drop(entry), idleMs);
    timer.unref();
    const entry: Entry<Child> = { key, child, timer };
    waiting.add(entry);
    const dropUnused = () => {
      if (waiting.has(entry)) drop(entry);
    };
    void child.then((made) => {
      if (made === null) return dropUnused();
      // The child cannot be run, or died while it waited.
      void made.ready.then((isReady) => isReady || dropUnused());
      void made.ended.then(dropUnused);
    });
  };

  return {
    take: async (setup) => {
      const key = keyOf(setup);
      for (const entry of waiting) {
        if (entry.key !== key) continue;
        waiting.delete(entry);
        clearTimeout(entry.timer);
        return await awaited(entry.child);
      }
      return null;
    },
    fill: (setup) => {
      const key = keyOf(setup);
      const same = [...waiting].filter((entry) => entry.key === key).length;
      if (isClosed || same >= perKey) return;
      // The child that has waited longest makes room.
      const [oldest] = waiting;
      if (waiting.size >= inTotal && oldest !== undefined) drop(oldest);
      add(setup, key);
    },
    close: async () => {
      isClosed = true;
      for (const entry of waiting) drop(entry);
      // Children that made room a moment ago are awaited, too.
      await Promise.all(going);
    },
  };
}

/** The key of all that a child is started with, including the digest of the skill's files and nothing of a run. */
function keyOf(setup: object): string {
  return sha256(JSON.stringify({ ...setup, attached: undefined }));
}

async function ending(starting: Promise<Waiting | null>): Promise<void> {
  const child = await starting;
  child?.keepAlive('yes'); // until the child is gone
  await child?.end();
}

/** Awaits a child. A waiting child does not keep this process alive, but a caller that waits for it must. */
async function awaited<Child extends Waiting>(starting: Promise<Child | null>): Promise<Child | null> {
  const hold = setInterval(() => undefined, idleMs);
  try {
    const child = await starting;
    child?.keepAlive('yes');
    return child;
  } finally {
    clearInterval(hold);
  }
}

async function launched<Child extends Waiting>(starting: Promise<Child>): Promise<Child | null> {
  try {
    const child = await starting;
    child.keepAlive('no');
    return child;
  } catch {
    return null; // A run that finds none here starts its own, and reports what is wrong.
  }
}
