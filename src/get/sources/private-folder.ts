import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesOf, linkStatOf } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { isGone, thisProcess } from '../../core/disk/owner.ts';
import { displayPath, xdgDir } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';

/** The place of everything that is being fetched. Beside the cache, so that what was fetched can be moved to its place. */
function fetchedFolder(environment: Environment): string {
  return join(xdgDir(environment, 'CACHE'), 'repertoire', 'fetched');
}

/** Creates a folder for this user alone, with the name of this process in it, and removes those of processes that died. */
export async function createPrivateFolder(environment: Environment): Promise<string> {
  const base = fetchedFolder(environment);
  await sweepFetched(environment);
  try {
    makeFolder(base);
    return mkdtempSync(join(base, `${thisProcess()}-`));
  } catch (error) {
    const message = `${displayPath(base, environment)}: cannot be written (${reasonOf(error)})`;
    throw new SkillError('unwritable', message, { hint: 'Set XDG_CACHE_HOME to a folder that can.' });
  }
}

/** Removes what processes that were killed have left behind. */
async function sweepFetched(environment: Environment): Promise<void> {
  const base = fetchedFolder(environment);
  const entries = entriesOf(base);
  const names = entries.ok ? entries.value.map(({ name }) => name) : [];
  await Promise.all(
    names.map(async (name) => {
      const path = join(base, name);
      const stats = linkStatOf(path);
      if (stats.ok && isGone(name, stats.value.mtimeMs)) await removeFolder(path);
    }),
  );
}

/** Removes a folder; one that cannot be removed now is left to the next sweep. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
