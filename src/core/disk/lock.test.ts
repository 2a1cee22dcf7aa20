import { spawnSync } from 'node:child_process';
import { linkSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLock, type Lock, sweepLocks } from './lock.ts';
import { thisProcess } from './owner.ts';

const [, , world] = thisProcess().split('.');
/** A process of this machine that is gone. */
const dead = `${spawnSync(process.execPath, ['-e', '']).pid}.1.${world}`;

function place(): { folder: string; path: string; lock: () => Lock } {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, '.lock');
  return { folder, path, lock: () => createLock(path, 'the log is') };
}

/** Leaves a name behind as a killed owner does. */
function leave(folder: string, name: string, owner: string): void {
  writeFileSync(join(folder, `.lock-${owner}`), owner);
  linkSync(join(folder, `.lock-${owner}`), join(folder, name));
}

describe('a lock', () => {
  it('is held by one at a time', () => {
    const { lock, folder } = place();
    const [one, other] = [lock(), lock()];
    const held = one.take(100);
    expect(() => other.take(30)).toThrow(/locked by another process/);
    held.release();
    other.take(100).release();
    one.close();
    other.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is inherited from a dead process, by one heir only', () => {
    const { lock, folder } = place();
    leave(folder, '.lock', `${dead}.aa`);
    const [one, other] = [lock(), lock()];
    const held = one.take(1000);
    expect(held.isInherited).toBe(true);
    expect(() => other.take(50)).toThrow(/locked/);
    held.release();
    const fresh = other.take(1000);
    expect(fresh.isInherited).toBe(false);
    sweepLocks(folder);
    fresh.release();
    one.close();
    other.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is inherited from an heir that died too', () => {
    const { lock, folder } = place();
    leave(folder, '.lock', `${dead}.aa`);
    leave(folder, `.lock-heir-${dead}.aa`, `${dead}.bb`);
    leave(folder, `.lock-heir-${dead}.bb`, `${dead}.cc`);
    const [one, other] = [lock(), lock()];
    const held = one.take(1000);
    expect(() => other.take(50)).toThrow(/locked/);
    held.release();
    other.take(1000).release();
  });

  it('is waited for where its owner cannot be observed, and then inherited', () => {
    const { lock, folder } = place();
    leave(folder, '.lock', '4711.1.1.aa');
    const began = Date.now();
    const held = lock().take(100);
    expect(Date.now() - began).toBeGreaterThanOrEqual(40);
    expect(held.isInherited).toBe(true);
    held.release();
  });

  it('leaves the file of another host alone for a day', () => {
    const { lock, folder } = place();
    const theirs = join(folder, '.lock-1.1.zzzzzzzzzzzzzzzz.aa');
    writeFileSync(theirs, '');
    const held = lock().take(100);
    sweepLocks(folder);
    expect(readdirSync(folder)).toContain(basename(theirs));
    utimesSync(theirs, new Date(0), new Date(0));
    sweepLocks(folder);
    expect(readdirSync(folder)).not.toContain(basename(theirs));
    held.release();
  });

  it('says who holds it and what to do when it cannot be taken', () => {
    const { lock, path } = place();
    lock().take(100);
    expect(() => lock().take(30)).toThrow(
      expect.objectContaining({
        code: 'unwritable',
        message: expect.stringContaining(`(${process.pid})`),
        hint: expect.stringContaining(path),
      }),
    );
  });
});
