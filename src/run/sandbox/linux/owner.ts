import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../../core/attempt.ts';
import { linkStatOf } from '../../../core/disk/files.ts';
import { lifeOf } from '../../../core/disk/owner.ts';

/** Tells whether a name was given by a process that is certainly dead. */
export function isOrphaned(name: string): boolean {
  return lifeOf(name) === 'dead';
}

/** Lists our own folders with the prefix whose owners are dead. */
export function orphansIn(folder: string, prefix: string): readonly string[] {
  const names = attempt(() => readdirSync(folder), []).filter((name) => name.startsWith(prefix));
  const orphans = names.filter((name) => isOrphaned(name.slice(prefix.length)));
  return orphans.map((name) => join(folder, name)).filter(isOurFolder);
}

/**
 * Tells whether a folder is our own. Anyone may create a folder of such a name where everybody may write, and removing
 * it could follow a link that its creator puts into it meanwhile, and delete what lies behind.
 */
function isOurFolder(path: string): boolean {
  const stats = linkStatOf(path);
  return stats.ok && stats.value.isDirectory() && stats.value.uid === (process.getuid?.() ?? stats.value.uid);
}
