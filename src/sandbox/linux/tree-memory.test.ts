import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { treeMemory } from './tree-memory.ts';

const megabyte = 1_048_576;

/** Starts another one that holds memory, and says so. */
const parent = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { stdio: 'inherit' });
  child.on('exit', () => process.exit());
`;
const holder = `
  const held = Buffer.alloc(${80 * megabyte}, 1);
  process.stdout.write('held');
  process.stdin.on('end', () => process.exit(held.length > 0 ? 0 : 1)).resume();
`;

it.skipIf(process.platform !== 'linux')('is what a process and those that come from it hold', async () => {
  const child = spawn(process.execPath, ['-e', parent, holder], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(treeMemory(child.pid)).toBeGreaterThan(80 * megabyte);
  expect(treeMemory(child.pid)).toBeLessThan(400 * megabyte);
  child.stdin.end();
  await once(child, 'exit');
  expect(treeMemory(child.pid)).toBeNull();
});

it('is not known of what was never there', () => {
  expect(treeMemory(undefined)).toBeNull();
  expect(treeMemory(2 ** 30)).toBeNull();
});
