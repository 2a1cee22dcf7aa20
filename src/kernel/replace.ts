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
  try {
    refuseChanged(path, known);
    inOneStep(path, text, (descriptor) => {
      keepOwner(descriptor, known);
      refuseChanged(path, known);
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Writes a file of our own, for ourselves alone, in the same way; whatever was there is replaced. Throws as the system does. */
export function putFile(path: string, text: string): void {
  inOneStep(path, text, () => {});
}

/** Writes beside the file, and moves that into its place when all is well. */
function inOneStep(path: string, text: string, onWritten: (descriptor: number) => void): void {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      onWritten(descriptor);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    discard(draft);
    throw error;
  }
}

/** A draft that could not be written may lie where nothing can be. */
function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Then there is nothing to remove.
  }
}

function refuseChanged(path: string, known: Stats): void {
  const now = lstatSync(path);
  const keys = ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const;
  if (!now.isFile() || keys.some((key) => now[key] !== known[key])) throw new Error('it changed meanwhile');
}

function keepOwner(descriptor: number, { mode, uid, gid }: Stats): void {
  if (process.getuid !== undefined && (uid !== process.getuid() || gid !== process.getgid?.())) {
    fchownSync(descriptor, uid, gid); // Who may not do this may not replace the file of another either.
  }
  fchmodSync(descriptor, mode & 0o7777);
}
