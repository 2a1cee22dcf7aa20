import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startOf, thisProcess } from '../../kernel/owner.ts';
import { createAdmission } from './admission.ts';
import { type Places, sharedPlaces } from './places.ts';

const limits = { maxConcurrent: 2, maxConcurrentPerSkill: 1, maxQueue: 3 };
const never = new AbortController().signal;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'places-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'running');
}

/** Another process, and how it is named. */
function otherProcess() {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, , world] = thisProcess().split('.');
  return { child, owner: `${child.pid}.${startOf(child.pid ?? 0)}.${world}` };
}

/** A place that must have been given. */
function taken(places: Places, skill: string): () => void {
  const place = places.take(skill);
  if (typeof place === 'string') throw new Error(`blocked by ${place}`);
  return place;
}

describe('places that processes share', () => {
  it('are no more than may run at once, in all and of one skill', () => {
    const folder = newFolder();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, otherProcess().owner)];
    const first = taken(here, 'a');
    expect(there.take('a')).toBe('skill');
    const second = taken(there, 'b');
    expect([here.take('c'), there.take('c')]).toEqual(['total', 'total']);
    first();
    taken(there, 'c')();
    second();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are free again when a process has died, which is noticed once', async () => {
    const folder = newFolder();
    const { child, owner } = otherProcess();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, owner)];
    for (const skill of ['a', 'b']) taken(there, skill);
    there.wait(1, 'total');
    there.keep();
    expect([here.take('c'), here.foundDead()]).toEqual(['total', false]);
    child.kill('SIGKILL');
    await new Promise((settle) => child.once('exit', settle));
    await expect.poll(() => here.take('c')).toBeTypeOf('function');
    expect([here.foundDead(), here.foundDead()]).toEqual([true, false]);
    expect(readdirSync(folder)).toHaveLength(1);
    here.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of another host are left to it, count for nothing here, and are removed a day later', () => {
    const folder = newFolder();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, '1.1.zzzzzzzzzzzzzzzz')];
    taken(there, 'a');
    there.wait(1, 'total');
    taken(here, 'a')();
    expect([here.waiting(), here.foundDead(), readdirSync(folder).length]).toEqual([0, false, 2]);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), new Date(0), new Date(0));
    taken(here, 'a')();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('go to whoever has waited for longer, but not for ever', async () => {
    const folder = newFolder();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, otherProcess().owner)];
    const places = ['a', 'b'].map((skill) => taken(here, skill));
    there.wait(1, 'total');
    places[0]?.();
    expect(here.take('c')).toBe('total');
    taken(there, 'd')();
    // One that never comes for its place does not keep it from others.
    await expect.poll(() => here.take('c'), { interval: 20, timeout: 2000 }).toBeTypeOf('function');
  });

  it('are kept free for nobody who waits for something else', () => {
    const folder = newFolder();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, otherProcess().owner)];
    taken(there, 'a');
    there.wait(5, 'skill');
    expect(here.waiting()).toBe(5);
    taken(here, 'b');
  });

  it('are kept from runs that would use the same folders in a way that is not safe', () => {
    const folder = newFolder();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, otherProcess().owner)];
    const use = { byName: true, folders: [{ source: '/data', access: 'write' }] } as const;
    const leave = there.take('a', use) as () => void;
    expect(here.take('b', use)).toBe('folder');
    taken(here, 'b')();
    (here.take('b', { ...use, folders: [{ source: '/other', access: 'write' }] }) as () => void)();
    leave();
    (here.take('b', use) as () => void)();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are counted by each process for itself where nothing can be written', () => {
    const folder = newFolder();
    writeFileSync(folder, '');
    const places = sharedPlaces(folder, limits);
    for (const skill of ['a', 'b', 'c']) taken(places, skill);
  });
});

describe('admission over processes', () => {
  it('waits for places of other processes, and says so', async () => {
    const folder = newFolder();
    const there = sharedPlaces(folder, limits, otherProcess().owner);
    const admission = createAdmission({ ...limits, maxQueue: 1 }, sharedPlaces(folder, limits));
    const places = ['a', 'b'].map((skill) => taken(there, skill));
    let waits = false;
    const entered = admission.enter('c', never, {
      waits: () => {
        waits = true;
      },
    });
    await expect(admission.enter('d', never)).rejects.toMatchObject({
      code: 'busy',
      message: '1 run is waiting already, which is the most allowed',
    });
    expect([waits, admission.running, admission.waiting, there.waiting()]).toEqual([true, 0, 1, 1]);
    places[0]?.();
    (await entered)();
    expect([admission.running, admission.waiting, there.waiting()]).toEqual([0, 0, 0]);
  });

  it('waits for folders that another process uses, and lets others in meanwhile', async () => {
    const folder = newFolder();
    const there = sharedPlaces(folder, { ...limits, maxConcurrent: 4 }, otherProcess().owner);
    const all = { ...limits, maxConcurrent: 4 };
    const admission = createAdmission(all, sharedPlaces(folder, all));
    const folders = { byName: true, folders: [{ source: '/data', access: 'write' }] } as const;
    const leave = there.take('a', folders) as () => void;
    const entered = admission.enter('b', never, { folders });
    (await admission.enter('c', never))();
    expect([admission.running, admission.waiting]).toEqual([0, 1]);
    leave();
    (await entered)();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it('gives up its place in the queue with its caller', async () => {
    const folder = newFolder();
    const there = sharedPlaces(folder, limits, otherProcess().owner);
    const admission = createAdmission(limits, sharedPlaces(folder, limits));
    for (const skill of ['a', 'b']) taken(there, skill);
    const controller = new AbortController();
    const entered = admission.enter('c', controller.signal);
    expect(there.waiting()).toBe(1);
    controller.abort(new Error('cancelled'));
    await expect(entered).rejects.toThrow('cancelled');
    expect(there.waiting()).toBe(0);
  });
});
