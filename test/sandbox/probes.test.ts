import { dirname } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createUnsafeRuntime } from '../../src/run/sandbox/native/plain-process.ts';
import { probeSandbox } from '../../src/run/sandbox/probes.ts';
import type { Task } from '../../src/run/sandbox/types.ts';
import { createWasmRuntime } from '../../src/run/sandbox/wasm/runtime.ts';
import { identities, runtimeOf } from './identities.ts';

it.each(identities)('holds against every probe as %s, and says what holds it', async (identity) => {
  const driver = await runtimeOf(identity);
  onTestFinished(() => driver.close());
  const results = await probeSandbox(driver.runtime);
  expect(results.filter(({ held }) => !held)).toEqual([]);
  expect(results.length).toBeGreaterThan(16);
  const names = results.map(({ name }) => name).join();
  for (const name of ['Git hooks', 'settings of an agent', 'setuid']) expect(names).toContain(name);
  const calls = results.find(({ name }) => name.includes('setuid'))?.mechanism;
  expect(calls).toContain('our filter of system calls');
  for (const { mechanism } of results) expect(mechanism).not.toContain('nothing');
});

it('tells where nothing holds', async () => {
  const runtime = createUnsafeRuntime();
  // Only those that leave nothing behind on a machine without a sandbox.
  const results = await probeSandbox({
    ...runtime,
    run: (spec, watcher) => {
      const isSafe = /^probe-(files|environment|network|deadline|output)-/.test(spec.id);
      if (isSafe) return runtime.run(spec, watcher);
      const task = { kind: 'command', program: '/bin/true', args: [] } as const;
      return runtime.run({ ...spec, task }, watcher);
    },
  });
  const held = Object.fromEntries(results.map((result) => [result.name, result.held]));
  expect(held).toMatchObject({
    'files of this machine': false,
    'the environment of this process': false,
    'the network of this machine': false,
    'output without end': true,
    'a program that ignores signals to stop': true,
  });
});

it('does not call held what could not be tried', async () => {
  const runtime = createUnsafeRuntime();
  const results = await probeSandbox({
    ...runtime,
    run: (spec, watcher) => runtime.run({ ...spec, task: { kind: 'command', program: '/no/such', args: [] } }, watcher),
  });
  expect(results.filter(({ held }) => held)).toEqual([]);
});

it.each(['sandbox', 'memory'] as const)('holds WebAssembly against every probe (%s)', async (isolation) => {
  const runtime = createWasmRuntime(hostEnvironment(), { isolation });
  const results = await probeSandbox(runtime);
  await runtime.close();
  expect(results.filter(({ held }) => !held)).toEqual([]);
  expect(results.length).toBeGreaterThan(5);
  for (const { mechanism } of results.slice(1)) expect(mechanism).not.toBe('unknown');
});

it('tells where WebAssembly gets at more than it may', async () => {
  const runtime = createWasmRuntime(hostEnvironment());
  const results = await probeSandbox({
    ...runtime,
    run: (spec, watcher) => {
      const task = spec.task as Extract<Task, { kind: 'module' }>;
      // The folder of the secret is there to be climbed to; variables and memory are more than they should be.
      const file = task.args.find((word) => word.endsWith('/secret') && word.startsWith('/'));
      const folder = file === undefined ? null : dirname(file);
      const mounts = folder === null ? [] : [{ source: folder, target: folder, access: 'read' } as const];
      const limits = {
        ...spec.limits,
        memoryBytes: 512 * 1_048_576,
        outputBytes: 100_000,
        timeoutMs: 9000,
        cpuSeconds: 2,
      };
      return runtime.run({ ...spec, env: { ...spec.env, LEAKED: 'x' }, mounts, limits }, watcher);
    },
  });
  await runtime.close();
  expect(results.filter(({ held }) => held).map(({ name }) => name)).toEqual([
    'functions of the engine',
    'a loop without end',
  ]);
});

it('does not call WebAssembly held where a module was not run', async () => {
  const runtime = createWasmRuntime(hostEnvironment());
  const failed = {
    reason: 'engine_error',
    message: 'no sandbox',
    exitCode: null,
    signal: null,
    durationMs: 0,
  } as const;
  const run = () => Promise.resolve({ ...failed, enforcement: [], denials: [] });
  expect((await probeSandbox({ ...runtime, run })).filter(({ held }) => held)).toEqual([]);
});
