import { join } from 'node:path';
import { entriesOf, statOf } from '../core/disk/files.ts';
import { stateFolder } from '../core/disk/own-folders.ts';
import { xdgDir } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import { count, type Infer, object, text } from '../core/schema/schema.ts';

/** A store: something kept on disk for speed or for the record. */
export const storeSchema = object({ what: text(), path: text(), files: count(), bytes: count() });
export type Store = Infer<typeof storeSchema>;

/** Stores by folder name, with their purpose. Those in the cache may be removed at any time; `kept` ones may not. */
const cached = { scan: 'scan cache', index: 'search index', said: 'last catalogues', components: 'compiled modules' };
const kept = {
  grants: 'grants',
  jobs: 'jobs',
  remotes: 'skills of remotes',
  audit: 'audit log',
  activity: 'activity log',
};

export function storesOf(environment: Environment): readonly Store[] {
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
