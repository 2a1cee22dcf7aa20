import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startOf, thisProcess } from '../../../core/disk/owner.ts';
import { type Admission, createAdmission } from './admission.ts';
import type { FolderUse } from './folder-use.ts';
import { type Claim, type Places, sharedPlaces } from './places.ts';

const limits = { maxConcurrent: 2, maxConcurrentPerSkill: 1, maxQueue: 3 };
const never = new AbortController().signal;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'places-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'running');
}

/** Starts another process, and returns it with its owner name. */
function otherProcess() {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, , world] = thisProcess().split('.');
  return { child, owner: `${child.pid}.${startOf(child.pid ?? 0)}.${world}` };
}

/** The folders of a run that may write to one. */
function writer(source: string, by: 'container' | 'command'): FolderUse {
  return { byName: by === 'container', folders: [{ source, access: 'write' }] };
}

function needs(folders: FolderUse | null, since = Date.now()): Claim {
  return { folders, since };
}

/** Takes a place that must be available. */
function taken(places: Places, skill: string): () => void {
  const place = places.take(skill, needs(null));
  if (typeof place === 'string') throw new Error(`blocked by ${place}`);
  return place;
}

describe('places that processes share', () => {
  it('are no more than may run at once, in all and of one skill', () => {
    const folder = newFolder();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, otherProcess().owner)];
    const first = taken(here, 'a');
    expect(there.take('a', needs(null))).toBe('skill');
    const second = taken(there, 'b');
    expect([here.take('c', needs(null)), there.take('c', needs(null))]).toEqual(['total', 'total']);
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
    expect([here.take('c', needs(null)), here.foundDead()]).toEqual(['total', false]);
    child.kill('SIGKILL');
    await new Promise((settle) => child.once('exit', settle));
    await expect.poll(() => here.take('c', needs(null))).toBeTypeOf('function');
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
    expect(here.take('c', needs(null))).toBe('total');
    taken(there, 'd')();
    // A process that never comes for its place does not keep it from others.
    await expect.poll(() => here.take('c', needs(null)), { interval: 20 }).toBeTypeOf('function');
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
    const leave = there.take('a', needs(writer('/data', 'container'))) as () => void;
    expect(here.take('b', needs(writer('/data', 'container')))).toBe('folder');
    taken(here, 'b')();
    (here.take('b', needs(writer('/other', 'container'))) as () => void)();
    leave();
    (here.take('b', needs(writer('/data', 'container'))) as () => void)();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are kept from runs that came after one which waits for the same folders, until that gives up or is stopped', async () => {
    const folder = newFolder();
    const [here, there] = [sharedPlaces(folder, limits), sharedPlaces(folder, limits, otherProcess().owner)];
    const [first, second, third] = [1, 2, 3].map((at) => needs(writer('/data', 'container'), at)) as [
      Claim,
      Claim,
      Claim,
    ];
    there.claim([second]);
    here.claim([first, third]);
    expect(here.take('b', third)).toBe('folder');
    expect(here.take('b', needs(writer('/data/inner', 'command')))).toBe('folder');
    for (const one of [first, needs(writer('/other', 'command')), needs(null)]) (here.take('b', one) as () => void)();
    here.claim([third]);
    expect(here.take('b', third)).toBe('folder');
    there.claim([]);
    (here.take('b', third) as () => void)();
    there.claim([second]);
    await expect.poll(() => here.take('b', third), { interval: 50 }).toBeTypeOf('function');
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
    const folders = writer('/data', 'container');
    const leave = there.take('a', needs(folders)) as () => void;
    const entered = admission.enter('b', never, { folders });
    (await admission.enter('c', never))();
    expect([admission.running, admission.waiting]).toEqual([0, 1]);
    leave();
    (await entered)();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it('lets in who waits for a folder before who came later, and keeps nobody of its skill waiting who does not need it', async () => {
    const folder = newFolder();
    const all = { ...limits, maxConcurrent: 9, maxConcurrentPerSkill: 9, maxQueue: 9 };
    const [here, there] = ['', otherProcess().owner].map((owner) =>
      createAdmission(all, sharedPlaces(folder, all, ...(owner === '' ? [] : [owner]))),
    ) as [Admission, Admission];
    const order: string[] = [];
    const enter = async (admission: Admission, name: string, folders: FolderUse | null) => {
      const leave = await admission.enter(name.slice(0, 1), never, { folders });
      order.push(name);
      return leave;
    };
    const writes = writer('/data', 'command');
    const first = await enter(there, 'w1', writes);
    const container = enter(here, 'c1', writer('/data', 'container'));
    await pause(5);
    // Later writers, in either process: each would keep the container waiting for as long as it runs.
    const others = [here, there, here].map((admission, at) => enter(admission, `w${at + 2}`, writes));
    const beside = [
      enter(here, 'c2', null),
      enter(here, 'c3', writer('/other', 'container')),
      enter(there, 'x1', null),
    ];
    for (const leave of await Promise.all(beside)) leave();
    expect(order.toSorted()).toEqual(['c2', 'c3', 'w1', 'x1']);
    first();
    const leave = await container;
    expect(order).toHaveLength(5);
    leave();
    for (const one of await Promise.all(others)) one();
    expect(order.slice(5).toSorted()).toEqual(['w2', 'w3', 'w4']);
    expect(readdirSync(folder)).toEqual([]);
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
