import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * The paths of other Nodes, by major version. npm brings them, the first time they are asked for; it has them for Linux on x64
 * alone as they are pinned here.
 *
 * @returns {Readonly<Record<string, string>>}
 */
export function nodes() {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const all = Object.keys(dependencies).map((name) => ({
    version: name.slice('node-'.length),
    path: join(folder, 'node_modules', name, 'bin/node'),
  }));
  if (!all.every(({ path }) => existsSync(path))) {
    execFileSync('npm', ['ci', '--loglevel=error', '--ignore-scripts'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return Object.fromEntries(all.map(({ version, path }) => [version, path]));
}
