import { dirname } from 'node:path';
import { statOf } from '../../kernel/files.ts';
import { isInside } from '../../kernel/paths.ts';
import type { Mount } from '../../policy/types.ts';

const enteredByOthers = 0o001;

/** Those that can be mounted. Runs of root are a user that owns nothing: what it cannot reach it cannot write either. */
export function reachableGuards(guards: readonly Mount[], mounts: readonly Mount[], isRoot: boolean): readonly Mount[] {
  return isRoot ? guards.filter((guard) => mounts.some((mount) => isOpenBelow(mount.source, guard.source))) : guards;
}

function isOpenBelow(folder: string, path: string): boolean {
  if (!isInside(folder, path)) return false;
  for (let above = dirname(path); above !== folder; above = dirname(above)) {
    const stats = statOf(above);
    if (!stats.ok || (stats.value.mode & enteredByOthers) === 0) return false;
  }
  return true;
}

/** What lies deeper is mounted later, and covers what it lies in. */
export function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.toSorted((one, other) => one.target.length - other.target.length);
}
