import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createWorld, program } from '../support/world.ts';

it.each([
  ['as text', ''],
  ['as JSON', '--json'],
])('a result that cannot be written is told on stderr: %s', (_name, option) => {
  const world = createWorld();
  const line = `"$0" "$1" list ${option} > /dev/full`;
  const options = { cwd: world.project, env: world.environment(), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, program], options);
  expect([status, stderr]).toEqual([1, 'error: the result cannot be written (ENOSPC)\n']);
});
