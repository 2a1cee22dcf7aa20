import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import {
  asleep,
  callOf,
  executed,
  gone,
  lab,
  longSleep,
  resultsIn,
  run,
  sleepers,
  tool,
  toolSkill,
} from './library.ts';

/** Writes what is its own wherever it can, waits for the others to have done so, and looks what it sees of them. */
const curious = {
  sh: [
    'echo "$SKILL_NAME" > /tmp/mine; echo "$SKILL_NAME" > "$(mktemp)"; export MARK="$SKILL_NAME"',
    'sleep 30.987654 & sleep 0.6',
    'echo "files: $(cat /tmp/* | sort -u | tr "\\n" " ")"',
    'echo "sleepers: $(grep -al "30.98765[4]" /proc/[0-9]*/cmdline 2>/dev/null | wc -l)"',
    'echo "marks: $(cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -a "^SKILL_NAME=" | sort -u | tr "\\n" " ")"',
    'echo "said: $1"',
    'kill %1 2>/dev/null; kill -9 -1 2>/dev/null',
  ].join('\n'),
};

function curiousCall(server: StdioServer, skill: string, value: string) {
  return server.call(tool, { skill_name: skill, tool_name: 'look', parameters: { value } });
}

describe('executions at the same time', () => {
  it('run beside each other and see nothing of each other: no files, processes or variables [S4-CONC-02 C4-LIMIT-11 C4-LIMIT-12]', async () => {
    const world = createWorld();
    const names = Array.from({ length: 8 }, (_, at) => `skill-${at}`);
    for (const name of names) toolSkill(world, name, { look: curious });
    const server = await connectStdio(world, ['serve', '--structured']);
    await server.call(tool, { skill_name: 'skill-0', tool_name: 'look', parameters: {} }); // everything is loaded
    const began = Date.now();
    const results = await Promise.all(
      names.map(async (name) => executed(await curiousCall(server, name, `of ${name}`))),
    );
    const took = Date.now() - began;
    for (const [at, name] of names.entries()) {
      const told = results[at]?.told;
      expect(told?.skill).toBe(name);
      expect(told?.stdout.split('\n'), name).toEqual([
        `files: ${name} `,
        'sleepers: 1',
        `marks: SKILL_NAME=${name} `,
        `said: of ${name}`,
        '',
      ]);
    }
    // One after the other they would have taken as long as all of them together.
    const all = results.reduce((sum, { told }) => sum + told.duration_ms, 0);
    expect(all).toBeGreaterThan(8 * 600);
    expect(took).toBeLessThan(all);
  });

  it('do not wait for each other [C4-LIMIT-11]', async () => {
    const world = lab({ sleep: 'exec sleep "$1"', quick: 'echo quick' });
    const server = await connectStdio(world, ['serve', '--structured']);
    const seconds = longSleep();
    server.send({ id: 'long', method: 'tools/call', params: callOf('sleep', seconds) });
    await asleep(seconds);
    const quick = await Promise.all(Array.from({ length: 5 }, () => run(server, 'quick')));
    expect(quick.map(({ text }) => text)).toEqual(Array(5).fill('quick\n'));
    expect(sleepers(seconds)).toHaveLength(1);
    server.notify('notifications/cancelled', { requestId: 'long' });
    await gone(seconds);
  });

  it('of one skill are as many as the operator allows; the next wait, and too many are refused', async () => {
    const world = limited('total = 4\nper_skill = 1\nqueue = 2\n');
    const server = await connectStdio(world, ['serve', '--structured']);
    const [first, second] = [longSleep(), longSleep()];
    server.send({ id: 'first', method: 'tools/call', params: callOf('sleep', first) });
    await asleep(first);
    server.send({ id: 'second', method: 'tools/call', params: callOf('sleep', second) });
    const third = run(server, 'quick');
    await untilWaiting(world, 2);
    // Another skill has its own turn.
    const other = await server.call(tool, { skill_name: 'other', tool_name: 'quick', parameters: {} });
    expect(executed(other).text).toBe('other\n');
    const refused = await run(server, 'quick');
    expect([refused.result.isError, refused.told.exit_reason]).toEqual([true, 'engine_error']);
    expect(refused.text).toMatch(/2 runs are waiting already[\s\S]*raise `queue` under \[concurrency\]/);
    expect(sleepers(second)).toEqual([]);
    server.notify('notifications/cancelled', { requestId: 'first' });
    await asleep(second);
    server.notify('notifications/cancelled', { requestId: 'second' });
    expect((await third).text).toBe('quick\n');
    expect((await resultsIn(world)).toSorted()).toEqual(['cancelled', 'cancelled', 'engine_error', 'exited', 'exited']);
  });

  it('are looked at again after they waited: what changed meanwhile, and what was taken back, counts', async () => {
    const world = limited('total = 4\nper_skill = 1\nqueue = 9\n');
    toolSkill(world, 'lab', { sleep: 'exec sleep "$1"', quick: 'echo honest' }, '[capabilities]\nenv = ["REGION"]');
    await world.run(['grant', 'lab', '--yes']);
    const server = await connectStdio(world, ['serve', '--structured']);
    const seconds = longSleep();
    server.send({ id: 'first', method: 'tools/call', params: callOf('sleep', seconds) });
    await asleep(seconds);
    const waiting = run(server, 'quick');
    await untilWaiting(world, 1); // it has been checked by then
    world.write('project/skills/lab/scripts/quick.sh', 'echo changed\n');
    server.notify('notifications/cancelled', { requestId: 'first' });
    const { told, text } = await waiting;
    expect([told.exit_reason, told.stdout]).toEqual(['denied', '']);
    expect(text).toContain('scripts/quick.sh has changed');
    await gone(seconds);
  });

  it('take turns, so that a greedy skill does not hold up a modest one', async () => {
    const world = limited('total = 2\nper_skill = 2\nqueue = 100\n');
    const server = await connectStdio(world, ['serve', '--structured']);
    // Two hold all places until everybody waits in line.
    const holders = [longSleep(), longSleep()];
    for (const seconds of holders) server.send({ id: seconds, method: 'tools/call', params: callOf('sleep', seconds) });
    for (const seconds of holders) await asleep(seconds);
    const order: string[] = [];
    const greedy = Array.from({ length: 20 }, async () => {
      await run(server, 'quick');
      order.push('greedy');
    });
    const call = { skill_name: 'other', tool_name: 'quick', parameters: {} };
    const modest = server.call(tool, call).then(() => order.push('modest'));
    await untilWaiting(world, 21);
    for (const seconds of holders) server.notify('notifications/cancelled', { requestId: seconds });
    await Promise.all([...greedy, modest]);
    expect(order).toHaveLength(21);
    expect(order.indexOf('modest')).toBeLessThan(6);
  });
});

/** Until so many runs wait for a place, which each process tells the others by the name of a file. */
async function untilWaiting(world: World, count: number): Promise<void> {
  const waiting = () =>
    readdirSync(world.path('home/.local/state/repertoire/running'))
      .map((name) => Number(/^wait\.\d+\.(\d+)\./.exec(name)?.[1] ?? 0))
      .reduce((sum, one) => sum + one, 0);
  await expect.poll(waiting).toBe(count);
}

function limited(concurrency: string): World {
  const world = lab({ sleep: 'exec sleep "$1"', quick: 'echo quick' });
  toolSkill(world, 'other', { quick: 'echo other' });
  world.write('home/.config/repertoire/policy.toml', `[concurrency]\n${concurrency}`);
  return world;
}
