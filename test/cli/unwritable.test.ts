import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createWorld, program } from '../support/world.ts';

it.each([
  ['as text', '', '> /dev/full', 'ENOSPC'],
  ['as JSON', '--json', '> /dev/full', 'ENOSPC'],
  ['to what is open for reading only', '', '1< /dev/null', 'EBADF'],
])('a result that cannot be written is told on stderr: %s', (_name, option, target, reason) => {
  const world = createWorld();
  const line = `"$0" "$1" list ${option} ${target}`;
  const options = { cwd: world.project, env: world.environment(), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, program], options);
  expect([status, stderr]).toEqual([1, `error: the result cannot be written (${reason})\n`]);
});
