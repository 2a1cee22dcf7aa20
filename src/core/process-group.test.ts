import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { endGroup } from './process-group.ts';

function lead(script: string): ChildProcess {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => endGroup(child));
  return child;
}

it('a process group is ended even where its leader has already exited', async () => {
  const child = lead('sleep 600 &');
  await once(child, 'exit');
  const closed = once(child, 'close'); // a process that is left keeps its output open
  expect(child.stdout?.readableEnded).toBe(false);
  child.stdout?.resume();
  endGroup(child);
  await closed;
});

it('a process that has reused the id of an exited group leader is not signalled', async () => {
  const stranger = lead('echo; exec sleep 600');
  await once(stranger.stdout as NonNullable<typeof stranger.stdout>, 'data');
  endGroup({ pid: stranger.pid, exitCode: 0, signalCode: null, kill: () => true });
  const own = once(stranger, 'exit');
  stranger.kill('SIGTERM');
  expect(await own).toEqual([null, 'SIGTERM']);
});
