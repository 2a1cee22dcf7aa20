import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { linkStatOf } from '../../../core/files.ts';
import { lifeOf } from '../../../core/owner.ts';

/** Whether a name was given by a process of this world that is no more. */
export function isOrphaned(name: string): boolean {
  return lifeOf(name) === 'dead';
}

/** The folders of ours in a folder that carry the prefix and whose owners are no more. */
export function orphansIn(folder: string, prefix: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
    const orphans = names.filter((name) => isOrphaned(name.slice(prefix.length)));
    return orphans.map((name) => join(folder, name)).filter(isOurFolder);
  } catch {
    return []; // nothing was ever there
  }
}

/**
 * Anyone may make a folder of such a name where everybody may write. Whoever takes it away would follow a link that its
 * maker puts into it meanwhile, and take away what lies behind.
 */
function isOurFolder(path: string): boolean {
  const stats = linkStatOf(path);
  return stats.ok && stats.value.isDirectory() && stats.value.uid === (process.getuid?.() ?? stats.value.uid);
}

/** Takes a folder away with all that is in it; one that somebody else takes away meanwhile is as good. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // the next sweep tries again
  }
}
