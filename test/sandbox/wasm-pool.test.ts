import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createWasmRuntime } from '../../src/run/sandbox/wasm/runtime.ts';
import { installPrograms } from './guests/installed.ts';
import { program } from './guests/programs.ts';
import { createStage, type Stage } from './guests/stage.ts';
import { descriptors, guestOf, read } from './guests/steps.ts';
import { runtimeOf } from './identities.ts';

const ours = { program: 'wasm-driver.ts', prepare: installPrograms } as const;

let stage: Stage;
afterEach(() => stage.end());

/** The numbers of the processes that were started for this stage and have not ended. */
function childrenOf(root: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(root);
    } catch {
      return false;
    }
  });
}

/** Processes of the users that a process of root gives to its runs. */
function usedBy(pid: number): readonly string[] {
  const first = 0x4000_0000 + pid * 256;
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const user = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'latin1'))?.[1]);
      return user >= first && user < first + 256;
    } catch {
      return false;
    }
  });
}

/** How many there are once that does not change any more. */
async function settled(root: string): Promise<number> {
  let last = -1;
  for (let same = 0, tries = 0; same < 20 && tries < 800; tries++) {
    const now = childrenOf(root).length;
    same = now === last ? same + 1 : 0;
    last = now;
    await pause(25);
  }
  return last;
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds).toBe(true);
}

describe('children that are started ahead', () => {
  it('serve one run each, and get nothing of the one before', async () => {
    stage = createStage({ pool: 'warm' });
    const module = await program('echo');
    await stage.run(module);
    await until(() => childrenOf(stage.root).length > 0);
    for (let index = 0; index < 4; index++) {
      const stdin = Buffer.from(`in-${index}`);
      const { stdout, ...outcome } = await stage.run(module, {
        args: [`run-${index}`],
        env: { N: String(index) },
        stdin,
      });
      expect(outcome).toMatchObject({ reason: 'exited', exitCode: 7 });
      expect(stdout.split('\0').slice(1).join('\0')).toBe(`run-${index}\0|N=${index}\0|in-${index}`);
      await pause(150);
    }
  });

  it('are there before a run and again after it, and never more than two for the same', async () => {
    stage = createStage({ pool: 'warm' });
    const spec = stage.specFor(await program('nothing'));
    expect(childrenOf(stage.root)).toEqual([]);
    await Promise.all(Array.from({ length: 5 }, () => stage.runSpec(spec)));
    await until(() => childrenOf(stage.root).length > 0);
    const launchers = await settled(stage.root);
    await stage.runSpec(spec);
    expect(await settled(stage.root)).toBe(launchers);
    await stage.runtime.close();
    expect(childrenOf(stage.root)).toEqual([]);
  });

  it('are never more than eight altogether', async () => {
    stage = createStage({ pool: 'warm' });
    const one = stage.specFor(await program('nothing'));
    await stage.runSpec(one);
    await until(() => childrenOf(stage.root).length > 0);
    const each = await settled(stage.root);
    for (let index = 0; index < 12; index++) {
      await stage.runSpec({ ...one, limits: { ...one.limits, memoryBytes: (index + 2) * 1_048_576 } });
    }
    const all = await settled(stage.root);
    expect(all).toBeLessThanOrEqual(8 * each);
    expect(all).toBeGreaterThan(each);
  });

  it('are not used where anything they were started with is another', async () => {
    stage = createStage({ pool: 'warm' });
    const source = stage.folder('granted');
    writeFileSync(join(source, 'given.txt'), 'given');
    const module = await guestOf([read('given', descriptors.firstMount, 'given.txt')]);
    await stage.run(module, { folder: 'scratch' });
    await until(() => childrenOf(stage.root).length > 0);
    const mounts = [{ source, target: '/data', access: 'read' }] as const;
    expect((await stage.run(module, { mounts })).stdout).toContain('given:given');
    expect((await stage.run(module, { folder: 'scratch' })).stdout).not.toContain('given:');
  });

  it('do not outlive the bytes they were made from', async () => {
    stage = createStage({ pool: 'warm' });
    const spec = stage.specFor(await program('echo'));
    await stage.runSpec(spec);
    await until(() => childrenOf(stage.root).length > 0);
    const other = stage.specFor(await program('trap'));
    if (spec.task.kind !== 'module' || other.task.kind !== 'module') throw new Error('not a module');
    // The same file, and now another module.
    writeFileSync(spec.task.file, await program('trap'));
    const task = { ...spec.task, digest: other.task.digest };
    expect(await stage.runSpec({ ...spec, task })).toMatchObject({ exitCode: 134 });
  });

  it.each(['sandbox', 'memory'] as const)('see the skill as it is at the run (%s)', async (isolation) => {
    stage = createStage({ pool: 'warm', isolation });
    const module = await guestOf([read('data', descriptors.skill, 'data.txt')]);
    const spec = stage.specFor(module);
    for (const text of ['one', 'another', 'a third']) {
      writeFileSync(join(stage.skill, 'data.txt'), text);
      expect((await stage.runSpec(spec)).stdout).toContain(`data:${text}\n`);
      await pause(300);
    }
  });

  it('are killed at the deadline and when cancelled, like any other', async () => {
    stage = createStage({ pool: 'warm' });
    const module = await program('endless');
    // The first one is started for its run, and the others ahead of theirs.
    for (const ending of ['timeout', 'timeout', 'cancelled']) {
      const stop = new AbortController();
      if (ending === 'cancelled') setTimeout(() => stop.abort(), 200);
      const limits = { timeoutMs: ending === 'timeout' ? 300 : 20_000 };
      expect(await stage.run(module, { signal: stop.signal, limits })).toMatchObject({ reason: ending });
    }
  });

  it('are of no use, and do no harm, where they cannot be run at all', async () => {
    stage = createStage({ pool: 'warm' });
    const spec = stage.specFor(Buffer.from('no module'));
    expect(await stage.runSpec(spec)).toMatchObject({ reason: 'engine_error' });
    await until(() => childrenOf(stage.root).length === 0);
    expect(await stage.runSpec(spec)).toMatchObject({ reason: 'engine_error' });
  });

  it('are not started where one run is all there is', async () => {
    stage = createStage();
    const module = await program('nothing');
    await stage.run(module);
    await pause(300);
    expect(childrenOf(stage.root)).toEqual([]);
  });
});

describe('a process that ends', () => {
  it('is not kept alive by children that wait, and takes them along, even where it is killed', async () => {
    for (const how of ['ends', 'is killed'] as const) {
      stage = createStage();
      const spec = { ...stage.specFor(await program('nothing')), stdin: null };
      const driver = await runtimeOf('yourself', { env: { WASM_POOL: 'warm' }, ...ours });
      await driver.runtime.run(spec, { onOutput: () => undefined, signal: new AbortController().signal });
      await until(() => childrenOf(stage.root).length > 0);
      if (how === 'is killed') driver.child.kill('SIGKILL');
      await driver.close();
      await until(() => childrenOf(stage.root).length === 0);
      if (how === 'ends') await stage.end();
    }
  });

  it('does not end while it waits for a child that is about to be ready', async () => {
    stage = createStage();
    const spec = { ...stage.specFor(await program('echo')), stdin: null };
    const driver = await runtimeOf('yourself', { env: { WASM_POOL: 'warm', WASM_ONCE: 'yes' }, ...ours });
    const watcher = { onOutput: () => undefined, signal: new AbortController().signal };
    // Nothing else keeps it alive: its input is closed at once.
    const running = driver.runtime.run(spec, watcher);
    driver.child.stdin?.end();
    expect((await running).exitCode).toBe(7);
    await driver.close();
  });

  it.each(['sandbox', 'memory'])('takes a run along where it is killed (%s)', async (isolation) => {
    stage = createStage();
    const spec = stage.specFor(await program('endless'));
    let folder = '';
    const prepare = (made: string) => {
      folder = made;
      installPrograms(made);
    };
    const env = { WASM_ISOLATION: isolation };
    const driver = await runtimeOf('yourself', { env, ...ours, prepare });
    void driver.runtime.run(spec, { onOutput: () => undefined, signal: new AbortController().signal });
    const mark = isolation === 'sandbox' ? stage.root : join(folder, 'dist');
    await until(() => childrenOf(mark).length > 0);
    driver.child.kill('SIGKILL');
    await driver.close();
    // In the very moment in which a sandbox is made there may be something left for the next start to find.
    await createWasmRuntime(hostEnvironment()).sweep();
    await until(() => childrenOf(mark).length === 0 && usedBy(driver.child.pid ?? 0).length === 0);
    await createWasmRuntime(hostEnvironment()).sweep();
  });
});

it('sees processes at all', async () => {
  stage = createStage();
  const child = spawn('/bin/sleep', ['30'], { argv0: stage.root });
  await until(() => childrenOf(stage.root).length === 1);
  child.kill('SIGKILL');
});
