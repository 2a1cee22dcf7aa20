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
import { attempt } from '../attempt.ts';
import { reasonOf } from '../errors.ts';

export const changedMeanwhile = 'it was changed in the meantime';

/**
 * Replaces the text of a file atomically: readers see the old file or the new one, never half of it. The file must
 * still have the given state, and be no link. Returns why it was not written, or null when it was.
 */
export function replaceFile(path: string, text: string, known: Stats): string | null {
  try {
    refuseChanged(path, known);
    inOneStep(path, text, {
      onWritten: (descriptor) => keepOwner(descriptor, known),
      place(draft) {
        refuseChanged(path, known); // As late as possible: a write by another process after this is lost.
        renameSync(draft, path);
      },
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Writes a file of our own atomically, for this user alone; whatever was there is replaced. Throws as the system does.
 */
export function putFile(path: string, text: string): void {
  inOneStep(path, text, {});
}

/** Writes a new file atomically, with these permissions; nothing may exist there before. */
export function addFile(path: string, text: string | Uint8Array, mode: number): void {
  inOneStep(path, text, {
    onWritten: (descriptor) => fchmodSync(descriptor, mode),
    place(draft) {
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw new Error(changedMeanwhile);
      if (!linked(draft, path)) renameSync(draft, path);
    },
  });
}

/** Gives the draft a second name, which replaces no existing file; not every file system supports that. */
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
  /** Moves the draft to its final place. */
  readonly place?: (draft: string) => void;
}

/** Writes a draft beside the file, and moves it into place when it is complete. */
function inOneStep(path: string, text: string | Uint8Array, { onWritten, place }: Steps): void {
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

/** Removes a file or folder where it can be removed, and leaves it to a later sweep where it cannot. */
export function discard(path: string): void {
  attempt(() => rmSync(path, { recursive: true, force: true }), undefined);
}

function refuseChanged(path: string, known: Stats): void {
  const now = lstatSync(path);
  const keys = ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const;
  if (!now.isFile() || keys.some((key) => now[key] !== known[key])) throw new Error(changedMeanwhile);
}

function keepOwner(descriptor: number, { mode, uid, gid }: Stats): void {
  if (process.getuid !== undefined && (uid !== process.getuid() || gid !== process.getgid?.())) {
    fchownSync(descriptor, uid, gid); // A user who may not do this may not replace another user's file either.
  }
  fchmodSync(descriptor, mode & 0o7777);
}
