import { join } from 'node:path';
import { entriesOf, statOf } from '../../../core/disk/files.ts';
import { type LogLine, logLineSchema } from '../../../core/disk/log-tail.ts';
import { stateFolder } from '../../../core/disk/own-folders.ts';
import { xdgDir } from '../../../core/disk/paths.ts';
import type { Environment } from '../../../core/environment.ts';
import { choice, count, type Infer, list, nullable, object, text, time } from '../../../core/schema/schema.ts';
import { version } from '../../../core/version.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import { type Diagnosis, diagnose } from '../../diagnosis.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { type IndexHealth, indexHealth, indexHealthSchema } from '../../searching/searcher.ts';
import { rootsSchema, summarySchema } from './doctor.ts';

export type { IndexHealth, LogLine };

/** Vital signs that only a long-lived server can report about itself. */
export interface Vitals {
  /** Start time in ISO 8601. */
  readonly startedAt: string;
  watcher(): WatcherHealth | null;
  sessions(): readonly SessionHealth[];
  /** The last lines of its log, the oldest first. */
  log(): readonly LogLine[];
}

const watcherSchema = object({
  // Coverage: every folder is watched, some are, or changes are noticed at the interval only.
  state: choice(['whole', 'behind', 'partial', 'off']),
  folders: count(),
  intervalMs: count(),
  lookedAt: nullable(time(), 'When the disk was last scanned.'),
});
export type WatcherHealth = Infer<typeof watcherSchema>;

const sessionSchema = object({
  client: text('The name the client gives itself.'),
  since: time(),
  lastUsed: time(),
  busy: count(),
});
export type SessionHealth = Infer<typeof sessionSchema>;

const clusterSchema = object({
  name: text(),
  address: text(),
  state: choice(['connected', 'lost']),
  since: time(),
  node: nullable(text(), 'The one that it is connected to, or was last.'),
  failure: nullable(text()),
});

/** A store: something kept on disk for speed or for the record. */
const storeSchema = object({ what: text(), path: text(), files: count(), bytes: count() });
type Store = Infer<typeof storeSchema>;

const output = object({
  version: text(),
  node: text(),
  pid: count(),
  memoryBytes: count(),
  roots: rootsSchema,
  summary: summarySchema,
  index: indexHealthSchema,
  stores: list(storeSchema, 'What is stored on disk.'),
  startedAt: nullable(time()),
  watcher: nullable(watcherSchema),
  sessions: list(sessionSchema),
  cluster: nullable(clusterSchema, 'The cluster that it takes part in.'),
  log: list(logLineSchema, 'The last lines, the oldest first.'),
});
export type HealthOutput = Infer<typeof output>;

/** Reports how a server is doing; what only a long-lived one knows is left out by others. */
export const health = defineOperation({
  name: 'health',
  effect: 'reads',
  input: {},
  output,
  async run(engine, _input, request): Promise<HealthOutput> {
    const { roots, summary } = await lastDiagnosis(engine, request);
    const { vitals, environment, cluster } = engine;
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
      cluster: cluster === undefined ? null : { name: cluster.name, address: cluster.address, ...cluster.status },
      log: vitals?.log() ?? [],
    };
  },
});

const known = new WeakMap<Snapshot, Promise<Diagnosis>>();

/** The last diagnosis. Clients poll every few seconds, and thousands of skills are diagnosed only once per snapshot. */
async function lastDiagnosis(engine: Engine, request: Request): Promise<Diagnosis> {
  const snapshot = await engine.registry.snapshot();
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const made = diagnose(engine, request);
  known.set(snapshot, made);
  made.catch(() => known.delete(snapshot)); // the next call may be luckier
  return made;
}

/** Stores by folder name, with their purpose. Those in the cache may be removed at any time; `kept` ones may not. */
const cached = { scan: 'scan cache', index: 'search index', said: 'last catalogues', components: 'compiled modules' };
const kept = {
  grants: 'grants',
  jobs: 'jobs',
  remotes: 'skills of remotes',
  audit: 'audit log',
  activity: 'activity log',
};

function storesOf(environment: Environment): readonly Store[] {
  const cache = join(xdgDir(environment, 'CACHE'), 'repertoire');
  return [...storesIn(cache, cached), ...storesIn(stateFolder(environment), kept)];
}

function storesIn(folder: string, names: Readonly<Record<string, string>>): Store[] {
  return Object.entries(names).map(([name, what]) => {
    const path = join(folder, name);
    return { what, path, ...sizeOf(path) };
  });
}

/** Maximum depth of a store; whatever lies deeper is not ours. */
const deepest = 3;

function sizeOf(folder: string, depth = 1): Pick<Store, 'files' | 'bytes'> {
  const entries = entriesOf(folder);
  let [files, bytes] = [0, 0];
  for (const entry of entries.ok ? entries.value : []) {
    const path = join(folder, entry.name);
    const stats = entry.isFile() ? statOf(path) : null;
    const inside = entry.isDirectory() && depth < deepest ? sizeOf(path, depth + 1) : { files: 0, bytes: 0 };
    files += inside.files + (stats?.ok ? 1 : 0);
    bytes += inside.bytes + (stats?.ok ? stats.value.size : 0);
  }
  return { files, bytes };
}
