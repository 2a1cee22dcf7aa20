import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNewEnough, packages } from './node.ts';

/** The judges lie apart from what a developer needs every day, and are fetched when they are first called. */
export function setup(): void {
  const stamp = join(packages, 'node_modules/.installed');
  const wanted = `${isNewEnough}\n${readFileSync(join(packages, 'package-lock.json'), 'utf8')}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  // What is optional is a newer Node, and what only the Inspector's pages need.
  const omit = isNewEnough ? ['--omit=optional'] : [];
  process.stdout.write('fetching the judges…\n');
  // On an older Node they are installed all the same: another one runs them.
  execFileSync('npm', ['ci', '--loglevel=error', '--engine-strict=false', ...omit], {
    cwd: packages,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  writeFileSync(stamp, wanted);
}
