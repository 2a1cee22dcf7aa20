import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests run the program that is shipped, so it is built before the first of them. */
export function setup(): void {
  const project = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
}
