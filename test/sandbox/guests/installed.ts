import { chmodSync, copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Puts the package where a program in the folder finds it: its name, and the programs that run inside. */
export function installPrograms(folder: string): void {
  const project = fileURLToPath(new URL('../../..', import.meta.url));
  const programs = join(folder, 'dist', 'cli');
  mkdirSync(programs, { recursive: true });
  copyFileSync(join(project, 'package.json'), join(folder, 'package.json'));
  cpSync(join(project, 'dist', 'cli'), programs, { recursive: true });
  for (const path of ['dist', 'dist/cli']) chmodSync(join(folder, path), 0o755);
}
