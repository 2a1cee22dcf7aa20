import { readdirSync } from 'node:fs';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { launch } from '../../src/run/sandbox/linux/launch.ts';
import { type Machine, machineFor } from '../../src/run/sandbox/linux/machine.ts';
import type { LaunchPlan } from '../../src/run/sandbox/linux/plan.ts';
import { privateFolder } from '../../src/run/sandbox/linux/system-view.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import { supervise } from '../../src/run/sandbox/supervise.ts';
import { finish, openFolder, roomy, specFor } from './contract.ts';

const runtime = createNativeRuntime(hostEnvironment());
afterAll(() => runtime.close());

let count = 0;

async function launched(machine: Machine, script: string, more: Partial<LaunchPlan> = {}) {
  const limits = more.limits ?? roomy;
  const plan: LaunchPlan = {
    id: `launch-${count++}`,
    argv: ['/bin/sh', '-c', script],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/tmp',
    binds: [],
    proc: true,
    stdin: 'none',
    ...more,
    limits,
  };
  const began = performance.now();
  const running = await launch(machine, plan);
  let stdout = '';
  const onOutput = (_: unknown, bytes: Uint8Array) => {
    stdout += Buffer.from(bytes).toString();
  };
  const watcher = { onOutput, signal: new AbortController().signal };
  return { ending: await supervise(running, { stdin: null, limits, watcher, began }), stdout };
}

const limitsSeen = "grep -E 'cpu time|file size|core file|processes|open files' /proc/self/limits | sed 's/  */ /g'";

it('sets the same limits with any shell', async () => {
  const machine = machineFor(hostEnvironment());
  const limits = { ...roomy, fileBytes: 1_048_576, cpuSeconds: 7, processes: 11 };
  const results = [];
  for (const shellIsDash of [machine.shellIsDash, false]) {
    results.push((await launched({ ...machine, shellIsDash }, limitsSeen, { limits })).stdout);
  }
  expect(results[0]).toContain('Max cpu time 7 8 seconds');
  expect(results[0]).toContain('Max file size 1048576 1048576 bytes');
  const processes = machine.cgroups === null ? 13 : 13 + 16; // the control group refuses first, and counts what it does
  expect(results[0]).toContain(`Max processes ${processes} ${processes} processes`);
  expect(results[1]).toBe(results[0]);
});

it('ends a run that takes more processor time than it may', async () => {
  const limits = { ...roomy, cpuSeconds: 1 };
  const { ending } = await launched(machineFor(hostEnvironment()), 'while :; do :; done', { limits });
  expect(ending).toMatchObject({ reason: 'timeout', message: expect.stringContaining('processor') });
});

it('does without /proc', async () => {
  const { stdout } = await launched(machineFor(hostEnvironment()), 'ls /proc 2>&1; echo end', { proc: false });
  expect(stdout).toMatch(/No such file.*\nend\n$/);
});

it('calls it an error of its own where the sandbox cannot be made', async () => {
  const binds = [{ source: '/no/such/folder', target: '/x', access: 'read' }] as const;
  const { ending } = await launched(machineFor(hostEnvironment()), 'echo started', { binds });
  expect(ending).toMatchObject({ reason: 'engine_error', message: expect.stringContaining('/no/such/folder') });
});

it('calls it an error of its own where the sandbox is not ready in time, and never a run that was killed', async () => {
  const { setTimeout } = globalThis;
  // The minute that it has is over before anything can be ready: no event comes in before the next tick.
  vi.stubGlobal('setTimeout', (act: () => void, ms: number) => {
    if (ms === 60_000) process.nextTick(act);
    return setTimeout(ms === 60_000 ? () => {} : act, ms);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  for (let time = 0; time < 5; time++) {
    const { ending, stdout } = await launched(machineFor(hostEnvironment()), 'echo started; sleep 1');
    expect([ending.reason, stdout]).toEqual(['engine_error', '']);
    expect(ending.message).toContain('it was not ready after 1 min');
  }
});

it('starts nothing with an environment that cannot be set', async () => {
  await expect(launched(machineFor(hostEnvironment()), ':', { env: { 'A B': 'x' } })).rejects.toThrow('environment');
});

it('leaves nothing behind after many runs at once', async () => {
  const machine = machineFor(hostEnvironment());
  const skill = openFolder('skill');
  const texts = Array.from({ length: 60 }, (_, index) => `run ${index}`);
  const all = await Promise.all(
    texts.map((text) => {
      const task = {
        kind: 'command',
        program: '/bin/sh',
        args: ['-c', 'cat; echo $1 > /tmp/x; cat /tmp/x', 'sh', text],
      } as const;
      return finish(runtime, specFor(task, skill, { stdin: Buffer.from(`${text}\n`) }));
    }),
  );
  expect(all.map(({ stdout }) => stdout)).toEqual(texts.map((text) => `${text}\n${text}\n`));
  expect(readdirSync(privateFolder(machine.runtimeFolder)).filter((name) => !name.startsWith('pipe-'))).toEqual([]);
  for (const folder of new Set(Object.values(machine.cgroups?.folders ?? {}))) {
    expect(readdirSync(folder).filter((name) => name.startsWith(`${process.pid}.`))).toEqual([]);
  }
});
