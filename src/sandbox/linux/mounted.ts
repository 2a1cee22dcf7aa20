import { closeSync, fstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import type { Mount } from '../../policy/types.ts';

/** Only to know which file it is: nothing is read, and no right to is needed. */
const pathOnly = 0o10000000;

/**
 * Whether a process sees what it was to see. Paths were looked at before they were mounted, and in between somebody
 * who may write beside them could have turned one into a link. Nothing has been started by then, so that nothing has
 * been seen where this finds a path that was turned: in words, which.
 */
export function turnedPath(pid: number, mounts: readonly Mount[]): string | null {
  const turned = mounts.find(({ source, target }) => !isSame(source, `/proc/${pid}/root${target}`));
  return turned === undefined ? null : `${turned.source} was replaced while the run was starting`;
}

/** The kernel says by which path a file was reached: any other than the one we asked for went by a link. */
function isSame(source: string, shown: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(source, pathOnly);
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== source) return false;
    const [meant, seen] = [fstatSync(descriptor), statSync(shown)];
    return meant.ino === seen.ino && meant.dev === seen.dev;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
