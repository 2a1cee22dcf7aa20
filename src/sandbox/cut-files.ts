import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits, Mount } from '../policy/types.ts';

/** Folders can be as large as they like, and every run would wait. */
const mostEntries = 5_000;

/** Shells count sizes in blocks, so that the limit that holds may be larger by less than one. */
const blockBytes = 512;

/** The clock of files is a little behind ours. */
const clockMs = 50;

/** Which files are the run's. */
interface Own {
  /** What was changed before is not. */
  readonly sinceMs: number;
  /** Whether a user is another run's. */
  readonly isOther?: (user: number) => boolean;
}

const all: Own = { sinceMs: 0 };

/**
 * Whether a folder has a file that was cut short: as long as the limit, to the byte. The kernel tells nobody but the
 * program that wrote it, and many programs go on. No link is followed.
 */
export function hasCutFile(folder: string, { fileBytes }: Pick<Limits, 'fileBytes'>, own = all): boolean {
  const folders = [folder];
  let entries = 0;
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const entry of entriesIn(next)) {
      if (++entries > mostEntries) return false;
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && isCut(path, fileBytes, own)) return true;
    }
  }
  return false;
}

/** The same of all folders of the host that a run could write to. */
export function hasCutFileIn(mounts: readonly Mount[], limits: Limits, own: Own): boolean {
  return mounts.some(({ source, access }) => {
    return access === 'write' && (isCut(source, limits.fileBytes, own) || hasCutFile(source, limits, own));
  });
}

function isCut(path: string, fileBytes: number, { sinceMs, isOther }: Own): boolean {
  try {
    const stats = lstatSync(path);
    const isAtLimit = stats.size >= fileBytes && stats.size < fileBytes + blockBytes;
    return isAtLimit && stats.isFile() && stats.mtimeMs >= sinceMs - clockMs && isOther?.(stats.uid) !== true;
  } catch {
    return false; // it is gone
  }
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a file, or a folder that is closed to us
  }
}
