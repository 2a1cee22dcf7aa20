import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from '../../kernel/owner.ts';
import { removeFolder } from '../linux/owner.ts';
import { folderPrefix } from '../linux/system-view.ts';

/** A folder for what a run needs on this machine, closed to others. Made when first asked for. */
export interface RunFolder {
  path(): string;
  remove(): void;
}

export function createRunFolder(parent: string): RunFolder {
  let folder: string | null = null;
  return {
    path: () => {
      folder ??= mkdtempSync(join(parent, `${folderPrefix}${thisProcess()}-`));
      return folder;
    },
    remove: () => {
      if (folder !== null) removeFolder(folder);
      folder = null;
    },
  };
}
