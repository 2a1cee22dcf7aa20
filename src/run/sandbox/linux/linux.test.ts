import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hasEnded, startOf, thisProcess } from '../../../core/disk/owner.ts';
import type { Limits } from '../../policy/types.ts';
import { createCgroup } from './cgroup.ts';
import { findCgroupPlace } from './find-cgroup.ts';
import { isOrphaned } from './owner.ts';
import { takeUser } from './plan.ts';
import { isHidden } from './system-view.ts';

const limits: Limits = {
  timeoutMs: 1000,
  memoryBytes: 5_000_000,
  processes: 7,
  outputBytes: 1,
  scratchBytes: 1,
  fileBytes: 1,
  cpuSeconds: 1,
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'linux-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A tree that looks like cgroup v2. */
function unifiedTree(controllers: string): string {
  const root = folder();
  for (const place of [root, join(root, 'user'), join(root, 'user', 'repertoire')]) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'cgroup.controllers'), controllers);
    writeFileSync(join(place, 'cgroup.subtree_control'), controllers);
    writeFileSync(join(place, 'cgroup.procs'), '');
  }
  writeFileSync(join(root, 'membership'), '0::/user\n');
  mkdirSync(join(root, 'repertoire'));
  writeFileSync(join(root, 'repertoire', 'cgroup.subtree_control'), controllers);
  return root;
}

it('a control group of version 2 gets the limits of a run', async () => {
  const root = unifiedTree('cpu memory pids');
  const place = findCgroupPlace(root, join(root, 'membership'));
  expect(place?.kind.name).toBe('cgroup v2');
  if (place === null) return;
  createCgroup(place, 'run/../1', limits, 2);
  const made = readdirSync(place.folders['memory'] ?? '').filter((name) => name.startsWith(thisProcess()));
  expect(made).toEqual([`${thisProcess()}-run____1`]);
  const read = (file: string) => readFileSync(join(place.folders['memory'] ?? '', made[0] ?? '', file), 'utf8');
  expect([read('memory.max'), read('memory.swap.max'), read('pids.max')]).toEqual(['5000000', '0', '9']);
});

it('the memory of a control group is counted without the page cache', () => {
  const root = unifiedTree('cpu memory pids');
  const place = findCgroupPlace(root, join(root, 'membership'));
  if (place === null) throw new Error('no place');
  const group = createCgroup(place, 'held', limits, 0);
  expect(group.memoryBytes()).toBeNull();
  const file = join(place.folders['memory'] ?? '', `${thisProcess()}-held`, 'memory.stat');
  writeFileSync(file, 'anon 4096\nfile 900000\nkernel 8192\nshmem 1024\nfile_mapped 0\ninactive_anon 4096\n');
  expect(group.memoryBytes()).toBe(5120);
});

it('control groups without the needed controllers are not used', () => {
  const root = unifiedTree('cpu hugetlb');
  for (const place of [root, join(root, 'user')]) rmSync(join(place, 'cgroup.procs'));
  expect(findCgroupPlace(root, join(root, 'membership'))).toBeNull();
  expect(findCgroupPlace(join(root, 'nothing'), join(root, 'membership'))).toBeNull();
});

it('the control group of another run is left alone, even if it has the same name', () => {
  const root = unifiedTree('cpu memory pids');
  const place = findCgroupPlace(root, join(root, 'membership'));
  if (place === null) throw new Error('no place');
  const other = join(place.folders['memory'] ?? '', `${thisProcess()}-same`);
  mkdirSync(other);
  expect(() => createCgroup(place, 'same', limits, 0)).toThrow('EEXIST');
  expect(readdirSync(other)).toEqual([]);
});

it('creating a control group fails where a limit cannot be set', () => {
  const root = unifiedTree('memory pids');
  const place = findCgroupPlace(root, join(root, 'membership'));
  if (place === null) throw new Error('no place');
  const kind = { ...place.kind, settings: { memory: () => [{ file: 'no/such/file', value: '1' }] } };
  expect(() => createCgroup({ ...place, kind }, 'x', limits, 0)).toThrow();
});

it('an orphaned control group is recognised by more than a process id', async () => {
  const child = spawn('sleep', ['30']);
  const started = startOf(child.pid ?? 0) ?? '';
  const [, , world] = thisProcess().split('.');
  const name = `${child.pid}.${started}.${world}-x`;
  expect(isOrphaned(name)).toBe(false);
  expect(isOrphaned(`${child.pid}.${Number(started) + 1}.${world}-x`)).toBe(true);
  expect(isOrphaned(`${child.pid}.${Number(started) + 1}.99-x`)).toBe(false); // of another host: not ours to judge
  expect(isOrphaned('libpod_parent')).toBe(false);
  child.kill('SIGKILL');
  await new Promise((settle) => child.once('exit', settle));
  expect(isOrphaned(name)).toBe(true);
  expect(hasEnded(child.pid ?? 0, started)).toBe(true);
  expect(isOrphaned(`${thisProcess()}-x`)).toBe(false);
});

it('each run gets a user id of its own, and each id is used once', () => {
  const users = Array.from({ length: 256 }, () => takeUser());
  const ids = users.map((user) => user?.id ?? 0);
  expect(new Set(ids).size).toBe(256);
  expect(Math.min(...ids)).toBeGreaterThan(2 ** 30 - 1);
  expect(Math.max(...ids)).toBeLessThan(2 ** 31);
  expect(takeUser()).toBeNull();
  users[7]?.release();
  expect(takeUser()?.id).toBe(ids[7]);
  for (const user of users) user?.release();
});

it('isHidden() detects folders that other users cannot enter', () => {
  const path = folder(); // created for us alone
  mkdirSync(join(path, 'skill'));
  expect(isHidden(join(path, 'skill'))).toBe(true);
  expect(isHidden('/usr/bin')).toBe(false);
});
