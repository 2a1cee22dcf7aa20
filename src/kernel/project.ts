import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from './environment.ts';
import { below } from './paths.ts';

/**
 * The folders that belong to the project, nearest first: from the working directory up to the repository's root. Out
 * of a repository it is the working directory alone, since nothing tells where the project would end.
 */
export function projectFolders(environment: Environment): readonly string[] {
  const folders: string[] = [];
  for (let folder = environment.cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(below(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [environment.cwd];
  }
}
