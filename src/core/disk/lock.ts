import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf, SkillError } from '../errors.ts';
import { entriesOf, statOf } from './files.ts';
import { isGone, lifeOf, thisProcess } from './owner.ts';

/**
 * A lock for one writer at a time, over all processes. Node cannot lock files, so the lock is a name that only one
 * process can make: a hard link to a file that names its owner. Making it is one atomic call, and it is never seen half
 * written.
 *
 * An owner that is killed leaves the name behind. Others must not simply remove it: of two that find the owner dead,
 * the slower would remove the lock of the quicker. So the lock is inherited from a dead owner: a second name, made of
 * the dead owner's, can be made by one heir only, who then holds the lock until it removes first the lock and then that
 * name.
 */
export interface Lock {
  /** Waits for the lock, at most this long, and lets nothing else of this process run meanwhile. */
  take(timeoutMs: number): Held;
  /** Waits for the lock, at most this long. */
  wait(timeoutMs: number): Promise<Held>;
  /** Removes what is left of this owner. */
  close(): void;
}

export interface Held {
  readonly isInherited: boolean;
  release(): void;
}

/** Milliseconds after which a holder may be dead. Before, nobody checks. */
const suspiciousMs = 10;
/** Most heirs to follow in a row: an heir may die too, and so may its own. */
const deepest = 64;

const prefix = '.lock-';
const heirPrefix = '.lock-heir-';

/** Makes a lock at a path; `what` is what it locks, in words. */
export function createLock(path: string, what: string): Lock {
  const folder = dirname(path);
  const id = `${thisProcess()}.${process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')}`;
  const own = join(folder, prefix + id);
  let isReady = false;

  function make(name: string): boolean {
    if (!isReady) writeFileSync(own, id, { mode: 0o600 });
    isReady = true;
    try {
      linkSync(own, name);
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === 'EEXIST') return false;
      isReady = false; // our file may have been removed: next time it is made anew
      if (reason === 'ENOENT') return false;
      throw error;
    }
  }

  /**
   * Takes over the lock of an owner that died holding it. Null where the owner lives, or nobody can tell and there is
   * time to wait.
   */
  function inherit({ isLastChance }: { readonly isLastChance: boolean }): Held | null {
    const first = readOwner(path);
    const names: string[] = [];
    for (let owner = first; owner !== 'absent' && names.length < deepest; ) {
      const life = lifeOf(owner);
      if (life === 'alive' || (life === 'unknown' && !isLastChance)) return null;
      const name = join(folder, heirPrefix + owner.replace(/[^\w.]/g, '_').slice(0, 100));
      names.push(name);
      if (make(name)) return confirmed(first, names);
      owner = readOwner(name);
    }
    return null;
  }

  /** Confirms an inheritance; null for an heir that came too late, and has inherited from a lock that is gone. */
  function confirmed(first: string, names: readonly string[]): Held | null {
    if (readOwner(path) === first) return { ...heldBy([path, ...names]), isInherited: true };
    heldBy(names.slice(-1)).release();
    return null;
  }

  /** Tries to have the lock, again after each nap, whose length is yielded. */
  function* attempts(timeoutMs: number): Generator<number, Held> {
    if (make(path)) return heldBy([path]);
    let waitedMs = 0;
    for (let turn = 0; waitedMs < timeoutMs; turn++) {
      const ms = napMs(turn);
      yield ms;
      waitedMs += ms;
      if (make(path)) return heldBy([path]);
      const heir = waitedMs > suspiciousMs ? inherit({ isLastChance: waitedMs >= timeoutMs }) : null;
      if (heir !== null) return heir;
    }
    throw tooBusy(path, what);
  }

  return {
    take(timeoutMs) {
      const turns = attempts(timeoutMs);
      for (let turn = turns.next(); ; turn = turns.next()) {
        if (turn.done) return turn.value;
        Atomics.wait(sleepCell, 0, 0, turn.value);
      }
    },
    async wait(timeoutMs) {
      const turns = attempts(timeoutMs);
      for (let turn = turns.next(); ; turn = turns.next()) {
        if (turn.done) return turn.value;
        const ms = turn.value;
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    },
    close() {
      if (isReady) rmSync(own, { force: true });
      isReady = false;
    },
  };
}

function heldBy(names: readonly string[]): Held {
  return {
    isInherited: false,
    release() {
      for (const name of names) {
        try {
          unlinkSync(name);
        } catch {
          // Another process has removed it already.
        }
      }
    },
  };
}

function readOwner(name: string): string {
  try {
    return readFileSync(name, 'latin1').slice(0, 200);
  } catch (error) {
    return reasonOf(error) === 'ENOENT' ? 'absent' : '';
  }
}

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * The milliseconds of a nap: few, and no certain number, so that waiting processes do not wake in step. Waiting is
 * counted in naps and not by a clock: a machine that was suspended has not waited.
 */
function napMs(turn: number): number {
  return Math.min(5, 0.1 * 1.3 ** turn) * (0.5 + Math.random());
}

function tooBusy(path: string, what: string): SkillError {
  const [pid = '?'] = readOwner(path).split('.');
  const message = `${what} locked by another process (${pid})`;
  return new SkillError('unwritable', message, { hint: `If that process is not Repertoire, remove ${path}.` });
}

/**
 * Removes what killed processes have left behind. Only for an owner that holds the lock and has not inherited it: then
 * all names of heirs are of the past.
 */
export function sweepLocks(folder: string): void {
  const entries = entriesOf(folder);
  if (!entries.ok) return;
  for (const { name } of entries.value) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const stats = statOf(path);
    const isLeft = stats.ok && isGone(name.slice(prefix.length), stats.value.mtimeMs);
    if (name.startsWith(heirPrefix) || isLeft) rmSync(path, { force: true });
  }
}
