import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/nodes', import.meta.url));

/**
 * The path of the Node of exactly this version, such as 22.12.0; npm installs it where it is not there yet.
 *
 * @param {string} version
 * @returns {string}
 */
export function nodeOfVersion(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, version);
  const node = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(node)) return node;
  mkdirSync(cache, { recursive: true });
  // Another process may be installing the same version: the folder appears when it is complete.
  const installing = mkdtempSync(join(cache, '.installing-'));
  try {
    const options = [
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--loglevel=error',
    ];
    execFileSync('npm', ['install', '--prefix', installing, ...options, `${name}@${version}`], {
      cwd: dirname(cache),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    chmodSync(installing, 0o755); // some tests run it as another user
    if (!existsSync(node)) renameSync(installing, folder);
  } catch (error) {
    if (!existsSync(node)) throw error;
  } finally {
    rmSync(installing, { recursive: true, force: true });
  }
  return node;
}
