import type { LogLine } from '../../kernel/log-tail.ts';
import { version } from '../../kernel/version.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { type Diagnosis, diagnose } from '../diagnosis.ts';
import type { Engine, Request } from '../engine.ts';
import { defineOperation } from '../operation.ts';
import { type IndexHealth, indexHealth } from '../searching/state.ts';
import { type Store, storesOf } from '../stores.ts';
import type { DoctorOutput } from './doctor.ts';

export type { IndexHealth, LogLine };

/** What only a server that goes on can tell of itself. */
export interface Vitals {
  /** ISO 8601. */
  readonly startedAt: string;
  watcher(): WatcherHealth | null;
  sessions(): readonly SessionHealth[];
  /** The last lines of its log, the oldest first. */
  log(): readonly LogLine[];
}

export interface WatcherHealth {
  /** Whether every folder is watched, some are, or changes are noticed at the interval only. */
  readonly state: 'whole' | 'behind' | 'partial' | 'off';
  readonly folders: number;
  readonly intervalMs: number;
  /** ISO 8601: when the disk was last looked at; null before the first look. */
  readonly lookedAt: string | null;
}

export interface SessionHealth {
  /** As the client calls itself. */
  readonly client: string;
  /** ISO 8601. */
  readonly since: string;
  readonly lastUsed: string;
  readonly busy: number;
}

export interface HealthOutput {
  readonly version: string;
  readonly node: string;
  readonly pid: number;
  readonly memoryBytes: number;
  readonly roots: DoctorOutput['roots'];
  readonly summary: DoctorOutput['summary'];
  readonly index: IndexHealth;
  /** What is kept on disk to be faster, or for the record. */
  readonly stores: readonly Store[];
  readonly startedAt: string | null;
  readonly watcher: WatcherHealth | null;
  readonly sessions: readonly SessionHealth[];
  readonly log: readonly LogLine[];
}

/** How a server is doing; what only one that goes on can tell is left out by others. */
export const health = defineOperation({
  fields: {},
  async run(engine, _input, request): Promise<HealthOutput> {
    const { roots, summary } = await lastDiagnosis(engine, request);
    const { vitals, environment } = engine;
    return {
      version: version(),
      node: process.version,
      pid: process.pid,
      memoryBytes: process.memoryUsage.rss(),
      roots,
      summary,
      index: await indexHealth(engine),
      stores: storesOf(environment),
      startedAt: vitals?.startedAt ?? null,
      watcher: vitals?.watcher() ?? null,
      sessions: vitals?.sessions() ?? [],
      log: vitals?.log() ?? [],
    };
  },
});

const known = new WeakMap<Snapshot, Promise<Diagnosis>>();

/** Who watches asks every few seconds: what is said of thousands of skills is found out once after each look at the disk. */
async function lastDiagnosis(engine: Engine, request: Request): Promise<Diagnosis> {
  const snapshot = await engine.registry.snapshot();
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const made = diagnose(engine, request);
  known.set(snapshot, made);
  made.catch(() => known.delete(snapshot)); // whoever asks next may be luckier
  return made;
}
