import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { reasonOf } from './errors.ts';

/**
 * Puts new text in the place of a file, in one step: readers see the old file or the new one, never half of it. The
 * file must still be the one whose state is given, and no link. Returns why it was not written, or null when it was.
 */
export function replaceFile(path: string, text: string, known: Stats): string | null {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    if (!isUnchanged(lstatSync(path), known)) return 'it changed meanwhile';
    writeDraft(draft, text, known);
    if (!isUnchanged(lstatSync(path), known)) throw new Error('it changed meanwhile');
    renameSync(draft, path);
    return null;
  } catch (error) {
    rmSync(draft, { force: true });
    return reasonOf(error);
  }
}

function isUnchanged(now: Stats, known: Stats): boolean {
  const keys = ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const;
  return now.isFile() && keys.every((key) => now[key] === known[key]);
}

function writeDraft(draft: string, text: string, { mode, uid, gid }: Stats): void {
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (process.getuid !== undefined && (uid !== process.getuid() || gid !== process.getgid?.())) {
      fchownSync(descriptor, uid, gid); // Who may not do this may not replace the file of another either.
    }
    fchmodSync(descriptor, mode & 0o7777);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
