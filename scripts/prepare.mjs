import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, realpathSync, unlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds what is installed from a checkout: npm runs this after `npm ci`, and for `npm link`, `npm pack`, `npm publish`
 * and an install from Git. Where the tools for the build are missing, it fetches them first, unless somebody has just
 * installed this checkout without them on purpose (`npm ci --omit=dev`).
 */
const project = resolve(fileURLToPath(new URL('..', import.meta.url)));
const { npm_command: command, npm_config_global: global, npm_config_global_prefix: prefix = '' } = process.env;

process.exitCode = prepare();

function prepare() {
  const hasTools = existsSync(join(project, 'node_modules/rolldown'));
  const wereLeftOut = (command === 'ci' || command === 'install') && global !== 'true';
  if (!hasTools && wereLeftOut) return 0;
  const code = hasTools ? 0 : npm('ci', '--global=false', '--include=dev', '--ignore-scripts');
  if (code !== 0) return code;
  makeRoom();
  return npm('run', '--silent', 'build');
}

/** @param {string[]} args */
function npm(...args) {
  // Whoever asks npm for JSON reads its standard output.
  const stdio = /** @type {const} */ (['ignore', process.stderr, process.stderr]);
  return spawnSync('npm', args, { cwd: project, stdio, shell: process.platform === 'win32' }).status ?? 1;
}

/**
 * Before a global install from Git npm runs `npm install` in its clone, which is then global as well: it puts a link to
 * the clone where the package is about to be unpacked, and later removes the clone. So the link makes room for a folder.
 */
function makeRoom() {
  const isClone = /[\\/]_cacache[\\/]tmp[\\/]git-clone/.test(project);
  // This is set while npm prepares the clone, when the link still has a use.
  if (!isClone || global !== 'true' || process.env['_PACOTE_NO_PREPARE_'] !== undefined) return;
  const place = join(prefix, process.platform === 'win32' ? '' : 'lib', 'node_modules', 'repertoire');
  if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() || realpathSync(place) !== project) return;
  unlinkSync(place);
  mkdirSync(place);
}
