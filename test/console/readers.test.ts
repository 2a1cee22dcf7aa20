import { expect, it } from 'vitest';
import type { ActivityOutput } from '../../src/engine/operations/machine/activity.ts';
import type { HealthOutput } from '../../src/engine/operations/machine/health.ts';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { createWorld, type World } from '../support/world.ts';

/** A machine on which somebody has typed things that are nobody else's business. */
async function usedWorld(): Promise<World> {
  const world = createWorld();
  world.skill('project/skills/greeter');
  world.write('project/skills/greeter/scripts/greet.sh', 'echo hello\n');
  await world.run(['search', 'my private trouble']);
  await world.run(['run', 'greeter', '--', 'my private words']);
  return world;
}

const pages = ['/api/health', '/api/activity', '/api/audit', '/api/statistics'];

async function shown(served: ServedConsole): Promise<string> {
  const answers = await Promise.all(pages.map(async (path) => (await served.ask(path)).text()));
  return answers.join('\n');
}

it('who may only look is not shown what others typed, nor the log', async () => {
  const world = await usedWorld();
  const full = await serveConsole(world);
  expect(await shown(full)).toMatch(/my private trouble.*my private words/s);
  const served = await serveConsole(world, { args: ['--console', 'read'] });
  expect(await shown(served)).not.toContain('my private');
  const { log } = (await (await served.ask('/api/health')).json()) as HealthOutput;
  expect(log).toEqual([]);
  const { rows } = (await (await served.ask('/api/activity')).json()) as ActivityOutput;
  expect(rows.map(({ what, detail }) => [what, detail])).toEqual(
    expect.arrayContaining([
      ['searched', null],
      ['ran', 'greet'],
    ]),
  );

  const events = await served.events();
  await world.run(['run', 'greeter', '--', 'my private words']);
  await events.until((event) => event.type === 'execution' && event.row.event === 'end');
  await world.run(['search', 'my private trouble']);
  await events.until((event) => event.type === 'activity' && event.row.what === 'searched');
  events.stop();
  expect(JSON.stringify(events.told)).not.toContain('my private');
});
