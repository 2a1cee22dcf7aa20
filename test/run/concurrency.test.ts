import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ExecutionResult } from '../../src/engine/running/types.ts';
import { asleep, longSleep, sleepers, tool, uniqueSleep } from '../execute/library.ts';
import { connectStdio } from '../support/mcp.ts';
import { users, Workshop } from './workshop.ts';

const manifest = `[skill]
runtime = "native"
[tools.sleep]
command = ["sh", "scripts/sleep.sh", "{seconds}"]
parameters.seconds = { type = "string", required = true }
`;

function shop(user: (typeof users)[number], concurrency: string): Workshop {
  const made = new Workshop(user);
  made.skill(manifest, { 'scripts/sleep.sh': 'exec sleep "$1"\n' });
  made.policy(`[concurrency]\n${concurrency}\n`);
  return made;
}

/** What a process keeps of its runs: its place, its folder among temporary files, and control groups where it can make them. */
function leftOf(made: Workshop, pid: number | undefined): readonly string[] {
  const groups = ['.', 'memory', 'pids', 'cpuacct'].map((tree) => `/sys/fs/cgroup/${tree}/repertoire`);
  const names = [made.state('running'), tmpdir(), ...groups].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder) : [],
  );
  return names.filter((name) => new RegExp(`(?:^|\\.|^repertoire-run-)${pid}\\.\\d+\\.`).test(name));
}

describe.each(users)('runs of several processes, as %s', (user) => {
  it('are no more at once than the policy allows, and all get their turn [C4-LIMIT-17]', async () => {
    const made = shop(user, 'total = 2');
    const seconds = uniqueSleep(1);
    const runs = Array.from({ length: 6 }, () => made.run(['run', '--json', 'demo:sleep', `seconds=${seconds}`]));
    let isOver = false;
    const all = Promise.all(runs).finally(() => {
      isOver = true;
    });
    let most = 0;
    while (!isOver) {
      most = Math.max(most, sleepers(seconds).length);
      await pause(20);
    }
    const results = (await all).map((run) => run.json<ExecutionResult>());
    expect(results.map(({ reason, exitCode }) => [reason, exitCode])).toEqual(Array(6).fill(['exited', 0]));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    expect(readdirSync(made.state('running'))).toEqual([]);
  });

  it('wait in one queue', async () => {
    const made = shop(user, 'total = 1\nqueue = 1');
    const seconds = longSleep();
    const first = made.start(['run', 'demo:sleep', `seconds=${seconds}`]);
    await asleep(seconds);
    const second = made.start(['run', 'demo:sleep', 'seconds=0']);
    const waits = () => readdirSync(made.state('running')).filter((name) => name.startsWith('wait.'));
    await expect.poll(waits).toHaveLength(1);
    const third = await made.result(['demo:sleep', 'seconds=0']);
    expect(third).toMatchObject({
      reason: 'engine_error',
      message: '1 run is waiting already, which is the most allowed',
    });
    first.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  it('take the place of one that was killed, and sweep what it left [C4-LIMIT-18]', async () => {
    const made = shop(user, 'total = 1');
    const seconds = longSleep();
    const killed = made.start(['run', 'demo:sleep', `seconds=${seconds}`]);
    await asleep(seconds);
    const { pid } = killed.child;
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(leftOf(made, pid).length).toBeGreaterThan(1);
    expect(await made.result(['demo:sleep', 'seconds=0'])).toMatchObject({ reason: 'exited', exitCode: 0 });
    expect(leftOf(made, pid)).toEqual([]);
  });
});

it('a run sweeps what a killed server has kept for later runs', async () => {
  const made = shop('yourself', 'total = 4');
  const server = await connectStdio(made.world, ['serve']);
  await server.call(tool, { skill_name: 'demo', tool_name: 'sleep', parameters: { seconds: '0' } });
  const { pid } = server.child;
  server.child.kill('SIGKILL');
  await server.exited;
  expect(leftOf(made, pid).length).toBeGreaterThan(1);
  await made.result(['demo:sleep', 'seconds=0']);
  expect(leftOf(made, pid)).toEqual([]);
});
