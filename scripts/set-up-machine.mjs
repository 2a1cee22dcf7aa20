import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolders } from './program-folders.mjs';

/**
 * Sees to it that the programs are there which the tests run: real sandboxes, a real container engine, real browsers. Where all of
 * them are, this is over at once. Missing ones are installed on Debian and what descends from it; elsewhere, or without
 * the right to install, it says what is missing and fails.
 */

/**
 * What is needed: how to tell that it is there, and the Debian package that brings it.
 *
 * @type {readonly { what: string, isThere: () => boolean, package: string }[]}
 */
const needs = [
  program('bwrap', 'bubblewrap'),
  program('socat', 'socat'),
  program('podman', 'podman'),
  // The other runtime that Podman may choose does not start on machines with both versions of control groups.
  program('runc', 'runc'),
  program('unshare', 'util-linux'),
  program('prlimit', 'util-linux'),
  program('python3', 'python3'),
  // Skills are fetched from real servers, and from archives that the usual programs have made.
  program('git', 'git'),
  program('sshd', 'openssh-server'),
  program('ssh', 'openssh-client'),
  program('zip', 'zip'),
  program('openssl', 'openssl'),
  // Clusters are real ones.
  program('nats-server', 'nats-server'),
  program('haproxy', 'haproxy'),
  // What the pages in docs/ show is typed as they show it.
  program('curl', 'curl'),
  program('script', 'bsdutils'),
  // The browser without a window, which is a third of the whole.
  program('chromium-headless-shell', 'chromium-headless-shell'),
  program('firefox-esr', 'firefox-esr'),
  { what: 'busybox, linked statically', isThere: hasStaticBusybox, package: 'busybox-static' },
];

const project = realpathSync(fileURLToPath(new URL('..', import.meta.url)));

process.exitCode = setUp();

function setUp() {
  // They run on Linux only; elsewhere their tests say so themselves.
  if (process.platform !== 'linux') return 0;
  const wrong = placeProblem();
  if (wrong !== null) {
    process.stderr.write(`${wrong}\n`);
    return 1;
  }
  const missing = needs.filter((need) => !need.isThere());
  if (missing.length === 0) return 0;
  const packages = [...new Set(missing.map((need) => need.package))];
  const prefix = installer();
  if (prefix !== null && install(prefix, packages)) {
    const still = missing.filter((need) => !need.isThere());
    if (still.length === 0) return 0;
  }
  const list = missing.map((need) => `  ${need.what} (Debian package ${need.package})`).join('\n');
  process.stderr.write(
    `The tests need programs that are not on this machine:\n${list}\n` +
      `Install them, on Debian or Ubuntu with\n  sudo apt-get install --no-install-recommends ${packages.join(' ')}\n`,
  );
  return 1;
}

/**
 * The problem of a checkout that lies where tests cannot use it: they look into the `/tmp` of sandboxes, which is empty,
 * and root's run the program as another user too.
 */
function placeProblem() {
  const move = 'Move it to a folder that every user can read, such as /srv.';
  if (`${project}/`.startsWith('/tmp/')) return `The tests cannot run in a checkout below /tmp (${project}). ${move}`;
  if (process.getuid?.() !== 0) return null;
  const nobody = { uid: 65_534, gid: 65_534, cwd: '/' };
  const script = 'require("node:fs").accessSync(process.argv[1])';
  const { status } = spawnSync(process.execPath, ['-e', script, join(project, 'package.json')], nobody);
  if (status === 0) return null;
  return `Tests run the program as another user too, who cannot read ${project} or run ${process.execPath}.\n${move}`;
}

/**
 * The words to put before `apt-get`; null where nothing can be installed.
 *
 * @returns {string[] | null}
 */
function installer() {
  if (find('apt-get') === undefined) return null;
  if (process.getuid?.() === 0) return [];
  return find('sudo') !== undefined && succeeds(['sudo', '-n', 'true'], 'ignore') ? ['sudo', '-n'] : null;
}

/**
 * @param {string[]} prefix
 * @param {string[]} packages
 */
function install(prefix, packages) {
  // Its output would stand between the results of the tests, and only matters when something is wrong.
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-o', 'Dpkg::Use-Pty=0'];
  const wanted = [...apt, 'install', '--yes', '--no-install-recommends', ...packages];
  process.stderr.write(`Installing ${packages.join(', ')} …\n`);
  if (hasLists() && succeeds(wanted, 'ignore')) return true;
  // The lists are empty, or older than what the servers have.
  return succeeds([...apt, 'update'], 'inherit') && succeeds(wanted, 'inherit');
}

function hasLists() {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => name.includes('_Packages'));
  } catch {
    return false;
  }
}

/**
 * @param {string[]} command
 * @param {'ignore' | 'inherit'} stderr
 */
function succeeds([name = '', ...args], stderr) {
  return spawnSync(name, args, { stdio: ['ignore', 'ignore', stderr] }).status === 0;
}

/**
 * @param {string} name
 * @param {string} packageName
 */
function program(name, packageName) {
  return { what: name, isThere: () => find(name) !== undefined, package: packageName };
}

/** @param {string} name */
function find(name) {
  return programFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** One that needs libraries is of no use in an image that has none. It would name its loader near its beginning. */
function hasStaticBusybox() {
  const path = find('busybox');
  if (path === undefined) return false;
  const file = openSync(path, 'r');
  try {
    const beginning = Buffer.alloc(4096);
    readSync(file, beginning, 0, beginning.length, 0);
    return !/\/ld-(linux|musl)/.test(beginning.toString('latin1'));
  } finally {
    closeSync(file);
  }
}
