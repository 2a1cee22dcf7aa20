import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, SkillError } from '../kernel/errors.ts';
import { isAbsent } from '../kernel/files.ts';
import { currentName, fullFiles, type Places } from './places.ts';

/** A file of the log as it was at one moment: it may be written on, or renamed, while it is read. */
export interface OpenFile {
  readonly name: string;
  readonly descriptor: number;
  readonly size: number;
  readonly ino: number;
}

/** How often the log may be found to have changed while its files are opened. Each time a whole file must have filled. */
const attempts = 10;

/** All files of the log, the oldest first. Readers take no lock: they look again where a file was put aside meanwhile. */
export function openFiles(places: Places): readonly OpenFile[] {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const files: OpenFile[] = [];
    try {
      const current = openFile(places.folder, currentName);
      if (current !== null) files.push(current);
      const names = fullFiles(places.folder);
      const full = names.map((name) => openFile(places.folder, name)).filter((file) => file !== null);
      files.unshift(...full);
      const now = statSync(places.current, { throwIfNoEntry: false });
      if (full.length === names.length && now?.ino === current?.ino) return files;
    } catch (error) {
      closeFiles(files);
      if (isAbsent(reasonOf(error))) return []; // a file stands where the folder would be
      throw unreadable(error, places.folder);
    }
    closeFiles(files);
  }
  throw new SkillError('unreadable', `the audit log changes too fast to be read: ${places.folder}`);
}

export function closeFiles(files: readonly OpenFile[]): void {
  for (const { descriptor } of files) closeSync(descriptor);
}

export function openFile(folder: string, name: string): OpenFile | null {
  try {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(join(folder, name), flags);
    const { size, ino } = fstatSync(descriptor);
    return { name, descriptor, size, ino };
  } catch (error) {
    if (isAbsent(reasonOf(error))) return null;
    throw error;
  }
}

function unreadable(error: unknown, folder: string): SkillError {
  return new SkillError('unreadable', `the audit log cannot be read (${reasonOf(error)}): ${folder}`, {
    hint: 'Only the user whose executions are in it may read it.',
    cause: error,
  });
}
