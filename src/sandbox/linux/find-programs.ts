import { accessSync, constants } from 'node:fs';
import { realPathOf } from '../../kernel/files.ts';

/** Never the PATH of whoever calls: what holds the sandbox up must come from the system. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** Where a program of the system is; null where it is not installed. */
export function findProgram(name: string): string | null {
  for (const folder of folders) {
    const path = `${folder}/${name}`;
    if (isExecutable(path)) return path;
  }
  return null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return realPathOf(path).ok;
  } catch {
    return false;
  }
}
