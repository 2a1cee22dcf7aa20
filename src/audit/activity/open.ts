import { closeSync, fstatSync } from 'node:fs';
import { type OpenFile, openFile } from '../snapshot.ts';

/** A file of the log. One that cannot be read has nothing to tell: this is a convenience, and no proof. */
export function openLog(folder: string, name: string): OpenFile | null {
  try {
    const file = openFile(folder, name);
    if (file === null || fstatSync(file.descriptor).isFile()) return file;
    closeSync(file.descriptor);
  } catch {
    // See above.
  }
  return null;
}
