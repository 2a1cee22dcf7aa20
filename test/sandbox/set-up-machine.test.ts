import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { isRoot } from '../support/root.ts';

const script = fileURLToPath(new URL('../../scripts/set-up-machine.mjs', import.meta.url));

/** Every program it asks for but one, and an `apt-get` that writes down what it is told and brings what it is to bring. */
function machineWithout(missing: string, aptGet: string): { readonly path: string; calls(): string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'bin');
  mkdirSync(path);
  const sandboxes = ['bwrap', 'socat', 'podman', 'runc', 'unshare', 'prlimit'];
  const needed = [
    ...sandboxes,
    'python3',
    'chromium-headless-shell',
    'firefox-esr',
    'curl',
    'script',
    'git',
    'sshd',
    'ssh',
    'zip',
    'openssl',
  ];
  const programs = [...needed, 'env', 'sh', 'touch'];
  for (const name of programs.filter((one) => one !== missing)) symlinkSync('/bin/sh', join(path, name));
  writeFileSync(join(path, 'busybox'), 'no loader is named here');
  for (const name of ['env', 'touch']) {
    rmSync(join(path, name));
    symlinkSync(`/usr/bin/${name}`, join(path, name));
  }
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  writeFileSync(join(path, 'apt-get'), `#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> ${log}\n${aptGet}\n`);
  chmodSync(join(path, 'apt-get'), 0o755);
  return { path, calls: () => readFileSync(log, 'utf8').trim().split('\n').filter(Boolean) };
}

function setUp(path: string): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [script], { env: { PATH: path }, encoding: 'utf8' });
}

it('says nothing and installs nothing where everything is there', () => {
  const machine = machineWithout('nothing', 'exit 1');
  expect(setUp(machine.path)).toMatchObject({ status: 0, stderr: '' });
  expect(machine.calls()).toEqual([]);
});

it.runIf(isRoot)('installs what is missing, and nothing else', () => {
  const machine = machineWithout('bwrap', 'case "$*" in *install*) touch "$(dirname "$0")/bwrap";; esac');
  const { path } = machine;
  symlinkSync('/usr/bin/dirname', join(path, 'dirname'));
  expect(setUp(path).status).toBe(0);
  expect(machine.calls().at(-1)).toMatch(/^noninteractive .*install --yes --no-install-recommends bubblewrap$/);
});

it('fails with the names of what is missing where it cannot be installed', () => {
  const { path } = machineWithout('podman', 'exit 100');
  const { status, stderr } = setUp(path);
  expect(status).toBe(1);
  expect(stderr).toContain('podman (Debian package podman)');
  expect(stderr).toContain('apt-get install --no-install-recommends podman');
  expect(stderr).not.toContain('bubblewrap');
});

it.each([
  ['/tmp', 0o755, 'cannot run in a checkout below /tmp'],
  ['/var/tmp', 0o700, 'who cannot read'],
])('fails where the tests could not run: in %s, with mode %o', (place, mode, message) => {
  const project = mkdtempSync(join(place, 'repertoire-checkout-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  mkdirSync(join(project, 'scripts'));
  writeFileSync(join(project, 'package.json'), '{}');
  for (const name of ['set-up-machine.mjs', 'program-folders.mjs'])
    copyFileSync(join(dirname(script), name), join(project, 'scripts', name));
  chmodSync(project, mode);
  const copied = join(project, 'scripts/set-up-machine.mjs');
  const { status, stderr } = spawnSync(process.execPath, [copied], { encoding: 'utf8' });
  // Only root runs tests as another user.
  if (isRoot || place === '/tmp') expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  else expect(stderr).not.toContain(message);
});
