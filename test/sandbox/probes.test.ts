import { expect, it, onTestFinished } from 'vitest';
import { createUnsafeRuntime } from '../../src/sandbox/native/unsafe.ts';
import { probeSandbox } from '../../src/sandbox/probes.ts';
import { identities, runtimeOf } from './identities.ts';

it.each(identities)('holds against every probe as %s, and says what holds it', async (identity) => {
  const driver = await runtimeOf(identity);
  onTestFinished(() => driver.close());
  const results = await probeSandbox(driver.runtime);
  expect(results.filter(({ held }) => !held)).toEqual([]);
  expect(results.length).toBeGreaterThan(13);
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
