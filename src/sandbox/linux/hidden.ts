import { dirname } from 'node:path';
import { statOf } from '../../kernel/files.ts';

const enteredByOthers = 0o001;

/** Whether a folder above keeps users out that own nothing. */
export function isHidden(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = statOf(folder);
    if (!stats.ok || (stats.value.mode & enteredByOthers) === 0) return true;
    if (folder === dirname(folder)) return false;
  }
}

export function isFolder(path: string): boolean {
  const stats = statOf(path);
  return stats.ok && stats.value.isDirectory();
}
