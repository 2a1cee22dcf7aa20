import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { reasonOf } from './errors.ts';

export const changedMeanwhile = 'it was changed in the meantime';

/**
 * Puts new text in the place of a file, in one step: readers see the old file or the new one, never half of it. The
 * file must still be the one whose state is given, and no link. Returns why it was not written, or null when it was.
 */
export function replaceFile(path: string, text: string, known: Stats): string | null {
  try {
    refuseChanged(path, known);
    inOneStep(path, text, {
      onWritten: (descriptor) => keepOwner(descriptor, known),
      place(draft) {
        refuseChanged(path, known); // As late as can be: what somebody else writes after this is lost.
        renameSync(draft, path);
      },
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Writes a file of our own, for ourselves alone, in the same way; whatever was there is replaced. Throws as the system does. */
export function putFile(path: string, text: string): void {
  inOneStep(path, text, {});
}

/** The same, where nothing may be there before, and with these rights. */
export function addFile(path: string, text: string, mode: number): void {
  inOneStep(path, text, {
    onWritten: (descriptor) => fchmodSync(descriptor, mode),
    place(draft) {
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw new Error(changedMeanwhile);
      if (!linked(draft, path)) renameSync(draft, path);
    },
  });
}

/** A second name for the draft, which takes nobody's place; not every file system can have one. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (reasonOf(error) === 'EEXIST') throw new Error(changedMeanwhile);
    return false;
  }
  discard(draft);
  return true;
}

interface Steps {
  readonly onWritten?: (descriptor: number) => void;
  /** Moves the draft to where it belongs. */
  readonly place?: (draft: string) => void;
}

/** Writes beside the file, and moves that into its place when all is well. */
function inOneStep(path: string, text: string, { onWritten, place }: Steps): void {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      onWritten?.(descriptor);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (place === undefined) renameSync(draft, path);
    else place(draft);
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
  if (!now.isFile() || keys.some((key) => now[key] !== known[key])) throw new Error(changedMeanwhile);
}

function keepOwner(descriptor: number, { mode, uid, gid }: Stats): void {
  if (process.getuid !== undefined && (uid !== process.getuid() || gid !== process.getgid?.())) {
    fchownSync(descriptor, uid, gid); // Who may not do this may not replace the file of another either.
  }
  fchmodSync(descriptor, mode & 0o7777);
}
