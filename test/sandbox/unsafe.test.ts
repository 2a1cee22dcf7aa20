import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createUnsafeRuntime } from '../../src/run/sandbox/native/plain-process.ts';
import type { Task } from '../../src/run/sandbox/types.ts';
import { finish, openFile, openFolder, roomy, specFor } from './contract.ts';

const runtime = createUnsafeRuntime();
const shell = (script: string, ...args: string[]): Task => ({
  kind: 'command',
  program: '/bin/sh',
  args: ['-c', script, 'sh', ...args],
});

it('says that nothing holds the run', async () => {
  const readiness = await runtime.readiness();
  const nothing = readiness.ready ? readiness.enforcement.filter(({ by }) => by.startsWith('nothing')) : [];
  expect(nothing.map(({ what }) => what)).toEqual([
    'files',
    'network',
    'processes',
    'memory',
    'cpu',
    'scratch',
    'user',
  ]);
});

it('finds the skill where it really is, and has a scratch folder that goes away', async () => {
  const skill = openFolder('skill');
  openFile(join(skill, 'data'), 'of the skill');
  expect(runtime.seesSkillAt(skill)).toBe(skill);
  const task = shell(
    'cat "$1"; pwd; echo made > "$TMPDIR/x"; cat "$TMPDIR/x"; echo "$2"',
    join(skill, 'data'),
    '/tmp/x',
  );
  const { stdout } = await finish(runtime, specFor(task, skill));
  const [text, made, said] = stdout.split('\n');
  expect(text).toMatch(/^of the skill\/.*repertoire-scratch-/);
  expect([made, said]).toEqual(['made', '/tmp/x']); // an argument is somebody's text, and left alone
  expect(existsSync(text?.replace('of the skill', '') ?? '')).toBe(false);
});

it('gives a clean environment, ends at the deadline and cuts output', async () => {
  const skill = openFolder('skill');
  const { stdout } = await finish(runtime, specFor(shell('env'), skill, { env: { ONLY: 'this' } }));
  expect(stdout).toMatch(/^ONLY=this$/m);
  expect(stdout).not.toMatch(/^(HOME|USER|PATH)=/m);
  const slow = specFor(shell('trap "" TERM; sleep 20 & sleep 20'), skill, { limits: { ...roomy, timeoutMs: 400 } });
  expect((await finish(runtime, slow)).outcome).toMatchObject({ reason: 'timeout', exitCode: null });
  const loud = specFor(shell('exec tr "\\0" x < /dev/zero'), skill, { limits: { ...roomy, outputBytes: 10_000 } });
  expect(await finish(runtime, loud)).toMatchObject({ outcome: { reason: 'output_limit' }, bytes: { stdout: 10_000 } });
});
