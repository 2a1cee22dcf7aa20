import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf, SkillError } from '../kernel/errors.ts';

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Create that folder',
  ENOSPC: 'Its disk is full: free some space',
  EDQUOT: 'Your quota is used up: free some space',
};

/** What there is to say where files cannot be written to a folder that a variable may move. */
export function unwritableFolder(
  folder: string,
  variable: 'TMPDIR' | 'XDG_RUNTIME_DIR' | 'XDG_CACHE_HOME',
  error: unknown,
): SkillError {
  const reason = reasonOf(error);
  return new SkillError('unavailable', `files for a run cannot be written to ${folder} (${reason})`, {
    hint: `${remedies[reason] ?? 'Make it writable for you'}, or set ${variable} to another folder.`,
    cause: error,
  });
}

/** A new folder among those for temporary files. */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw unwritableFolder(tmpdir(), 'TMPDIR', error);
  }
}
