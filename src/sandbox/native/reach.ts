import { statOf } from '../../kernel/files.ts';
import type { Mount } from '../../policy/types.ts';

const others = { read: 0o4, write: 0o2, enter: 0o1 } as const;

/**
 * Runs of root are a user that owns nothing. What others may not read they cannot either; better said before the run
 * than by an error somewhere in it.
 */
export function unreachableIn(binds: readonly Mount[]): string | null {
  for (const { source, access } of binds) {
    const stats = statOf(source);
    if (!stats.ok) return `${source} does not exist (${stats.reason})`;
    const needed =
      others.read | (stats.value.isDirectory() ? others.enter : 0) | (access === 'write' ? others.write : 0);
    if ((stats.value.mode & needed) === needed) continue;
    const how = access === 'write' ? 'rwX' : 'rX';
    return `when started by root, a run is a user without privileges, which may not ${access} ${source}: chmod -R o+${how} ${source}`;
  }
  return null;
}
