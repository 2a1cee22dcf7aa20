import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { enterScope, type Manager } from './find-cgroup.ts';

const service = '/user.slice/user-1000.slice/user@1000.service';

/** A machine as systemd sets it up, with a program that records the requests and carries them out. */
function machine(more: Partial<Manager> & { group?: string; offered?: string; moves?: boolean } = {}) {
  const { group = '/user.slice/user-1000.slice/session-3.scope', offered = 'cpu memory pids', moves = true } = more;
  const root = mkdtempSync(join(tmpdir(), 'scope-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const membership = join(root, 'membership');
  writeFileSync(membership, `0::${group}\n`);
  mkdirSync(join(root, service), { recursive: true });
  writeFileSync(join(root, service, 'cgroup.subtree_control'), `${offered}\n`);
  writeFileSync(join(root, 'bus'), '');
  const busctl = join(root, 'busctl');
  const asked = join(root, 'asked');
  const move = moves ? `echo "0::${service}/app.slice/repertoire.scope" > ${membership}` : 'exit 1';
  writeFileSync(busctl, `#!/bin/sh\nprintf '%s\\n' "$@" "$DBUS_SESSION_BUS_ADDRESS" > ${asked}\n${move}\n`);
  chmodSync(busctl, 0o755);
  return { manager: { root, membership, user: 1000, session: root, busctl, ...more }, asked, root };
}

it('a process asks the user manager of systemd for a scope of its own', () => {
  const { manager, asked, root } = machine();
  expect(enterScope(manager)).toBe(true);
  const words = readFileSync(asked, 'utf8').trim().split('\n');
  expect(words.slice(0, 3)).toEqual(['--user', '--quiet', 'call']);
  const unit = ['StartTransientUnit', 'ssa(sv)a(sa(sv))', `repertoire-${process.pid}.scope`, 'fail', '3'];
  expect(words.join(' ')).toContain(unit.join(' '));
  expect(words.join(' ')).toContain(`Delegate b true PIDs au 1 ${process.pid} 0`);
  expect(words.at(-1)).toBe(`unix:path=${root}/bus`);
});

it.each<readonly [string, Parameters<typeof machine>[0]]>([
  ['root', { user: 0 }],
  ['a process that is in its part already', { group: `${service}/app.slice/terminal.scope` }],
  ['a service of the system', { group: '/system.slice/repertoire.service' }],
  ['the older kind of control groups', { group: 'none' }],
  ['a manager that cannot hold memory', { offered: 'cpu pids' }],
  ['a machine without the program', { busctl: null }],
  ['a process without a session', { session: undefined }],
  ['a session without a bus', { session: '/nonexistent' }],
  ['a manager that refuses', { moves: false }],
])('no scope is asked for, or given, for %s', (_, more) => {
  const { manager } = machine(more);
  expect(enterScope(manager)).toBe(false);
});
