import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ticksBetween, treeMemory } from './tree.ts';

const megabyte = 1_048_576;

/** A program that starts another one, which holds memory and reports it. */
const parent = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { stdio: 'inherit' });
  child.on('exit', () => process.exit());
`;
const holder = `
  const held = Buffer.alloc(${80 * megabyte}, 1);
  process.stdout.write('held');
  process.stdin.on('end', () => process.exit(held.length > 0 ? 0 : 1)).resume();
`;

it.skipIf(process.platform !== 'linux')('the memory of a process tree includes all descendants', async () => {
  const child = spawn(process.execPath, ['-e', parent, holder], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(treeMemory(child.pid)).toBeGreaterThan(80 * megabyte);
  expect(treeMemory(child.pid)).toBeLessThan(400 * megabyte);
  child.stdin.end();
  await once(child, 'exit');
  expect(treeMemory(child.pid)).toBeNull();
});

it('the memory of a process that does not exist is unknown', () => {
  expect(treeMemory(undefined)).toBeNull();
  expect(treeMemory(2 ** 30)).toBeNull();
});

type Rows = Readonly<Record<number, readonly [own: number, waitedFor: number, started?: string]>>;

function seen(rows: Rows) {
  return new Map(
    Object.entries(rows).map(([pid, [own, waitedFor, started = '1']]) => [Number(pid), { started, own, waitedFor }]),
  );
}

describe('processor time between two looks', () => {
  it.each<readonly [string, Rows, Rows, number]>([
    ['counts all of what is seen first', {}, { 1: [3, 2] }, 5],
    ['counts what each has used since', { 1: [3, 0], 2: [10, 0] }, { 1: [4, 0], 2: [15, 0] }, 6],
    ['counts those that came and went between', { 1: [3, 0] }, { 1: [3, 40] }, 40],
    ['counts once what a process hands on as it ends', { 1: [3, 0], 2: [10, 0] }, { 1: [3, 12] }, 2],
    ['counts once what goes through two hands', { 1: [0, 0], 2: [1, 0], 3: [50, 0] }, { 1: [0, 53] }, 2],
    ['keeps what was seen of one that nobody waits for', { 1: [3, 0], 2: [10, 0] }, { 1: [4, 0] }, 1],
    ['takes no process for another of the same number', { 1: [0, 0], 2: [10, 0] }, { 1: [0, 10], 2: [4, 0, '9'] }, 4],
  ])('%s', (_, before, now, ticks) => {
    expect(ticksBetween(seen(before), seen(now))).toBe(ticks);
  });
});
