import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isNewEnough, packages } from './node.ts';

/** The judges are not installed with what a developer needs every day; they are fetched when they are first called. */
export function setup(): Promise<void> {
  // What is optional is a newer Node, and what only the Inspector's pages need.
  return fetchPackages('the judges', packages, isNewEnough ? ['--omit=optional'] : []);
}

/** Installs what the lockfile of a folder says, unless that has been done. Nothing of theirs runs meanwhile. */
export async function fetchPackages(what: string, folder: string, options: readonly string[] = []): Promise<void> {
  const stamp = join(folder, 'node_modules/.installed');
  const wanted = `${options.join(' ')}\n${readFileSync(join(folder, 'package-lock.json'), 'utf8')}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stdout.write(`fetching ${what}…\n`);
  // On an older Node they are installed all the same: another one runs them.
  const args = ['ci', '--ignore-scripts', '--loglevel=error', '--engine-strict=false', ...options];
  await promisify(execFile)('npm', args, { cwd: folder, shell: process.platform === 'win32', timeout: 300_000 });
  writeFileSync(stamp, wanted);
}
