import { inParallel } from '../../core/in-parallel.ts';
import type { Lock, LockEntry } from '../../get/install/lock-file.ts';
import { type Incoming, type Planned, planFor } from '../../get/install/plan.ts';
import { type Kept, kept } from '../../get/install/store.ts';
import type { Origin } from '../../get/sources/types.ts';
import type { Engine, Request } from '../engine.ts';
import { atOnce, openScanThreads } from '../scanning/threads.ts';
import { lookedAt } from './bring-in.ts';
import { bringLocked } from './bring-locked.ts';
import { carryOut, doing } from './carry-out.ts';
import type { Difference } from './check.ts';
import { isSameAs, mannerOf } from './locked.ts';

export interface Restoring {
  readonly lock: Lock;
  /** The skills that are missing, or missing for an agent. */
  readonly wanted: readonly (readonly [string, LockEntry])[];
  readonly frozen: boolean;
  readonly dryRun: boolean;
}

/** Puts skills in place as a lock file says: the very same files, or none. */
export async function restore(
  engine: Engine,
  { lock, wanted, frozen, dryRun }: Restoring,
  request: Request,
): Promise<{ installed: readonly string[]; differences: readonly Difference[] }> {
  const { environment } = engine;
  const { scope } = lock;
  const { stored, others } = await fromStore(engine, wanted);
  const brought = await bringLocked(engine, others, scope, { isPinned: true }, request);
  const differences: Difference[] = brought.refused.map(({ name, reason }) => differs(name, reason));
  const entries = new Map(wanted);
  const good = [...stored, ...brought.incoming].filter((one) => {
    const problem = differenceFrom(one, entries.get(one.name));
    if (problem !== null) differences.push(problem);
    return problem === null;
  });
  if (frozen && differences.length > 0) return { installed: [], differences };
  const { skills } = await carryOut(
    engine,
    {
      ...{ scope, dryRun, yes: true, unasked: 'repertoire install', keepsLock: frozen },
      async plan(now) {
        const planned: Planned[] = [];
        for (const incoming of good) {
          const entry = now.entries.get(incoming.name);
          if (entry === undefined) continue;
          const plan = await planFor(
            incoming,
            now,
            await mannerOf(scope, incoming.name, entry, environment),
            environment,
          );
          // The lock file says how things should be; only what others wrote is made complete.
          const { entry: made, ...rest } = plan;
          planned.push(entry.repertoire === undefined && made !== undefined ? plan : rest);
        }
        return planned;
      },
    },
    request,
  );
  for (const { name, action, reason } of skills) {
    if (action === 'quarantine') differences.push({ name, kind: 'blocked', what: 'the scan blocks it', files: [] });
    else if (reason !== null) differences.push(differs(name, reason));
  }
  return { installed: skills.filter(({ action }) => doing.has(action)).map(({ name }) => name), differences };
}

/** The skills of which the very files are in the store: they need not be fetched. */
async function fromStore(
  engine: Engine,
  wanted: Restoring['wanted'],
): Promise<{ stored: readonly Incoming[]; others: Restoring['wanted'] }> {
  const copies: (readonly [Kept, string, Origin])[] = [];
  const others: (readonly [string, LockEntry])[] = [];
  for (const [name, entry] of wanted) {
    const { repertoire } = entry;
    const copy = repertoire === undefined ? null : await kept(engine.environment, repertoire.digest);
    if (repertoire === undefined || copy === null) others.push([name, entry]);
    else copies.push([copy, name, repertoire.origin]);
  }
  const threads = openScanThreads({ home: engine.environment.home }, copies.length);
  try {
    const stored = await inParallel(copies, atOnce, ([copy, name, origin]) =>
      lookedAt(engine, threads.scan({ folder: copy.folder, known: copy }), copy, name, origin),
    );
    return { stored, others };
  } finally {
    threads.end();
  }
}

function differs(name: string, what: string): Difference {
  return { name, kind: 'source', what, files: [] };
}

/** The difference between what a source gives now and what the lock file says. */
function differenceFrom(incoming: Incoming, entry: LockEntry | undefined): Difference | null {
  const { name, isBlocked } = incoming;
  if (isBlocked) return { name, kind: 'blocked', what: 'the scan blocks it', files: [] };
  const isPlain =
    entry === undefined || (entry.repertoire ?? entry.computedHash ?? entry.skillFolderHash) === undefined;
  if (isPlain || isSameAs(entry, incoming)) return null;
  return differs(name, 'its source has other files now than the lock file says');
}
