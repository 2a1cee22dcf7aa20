import { expect, it } from 'vitest';
import { serveConsole } from '../support/console.ts';
import { createWorld } from '../support/world.ts';

const folder = 'home/.claude/skills/courier';
const manifest = `[skill]
runtime = "native"
[capabilities]
network = ["api.example.com:443"]
[tools.send]
description = "Sends it."
command = ["node", "scripts/send.mjs", "--to={to}"]
parameters = { to = { type = "string", required = true } }
[tools.look]
description = "Looks at it."
command = ["node", "scripts/send.mjs"]
capabilities = {}
`;

it('what a run would do is told in lines too, and there a refusal is an answer like others', async () => {
  const world = createWorld();
  world.skill(folder);
  world.write(`${folder}/skill.toml`, manifest);
  world.write(`${folder}/scripts/send.mjs`, '');
  const served = await serveConsole(world);

  const [start, plan, ...more] = await served.run({ target: 'courier:look', dryRun: true });
  expect(start).toMatchObject({ event: 'start' });
  expect(plan).toMatchObject({ event: 'plan', plan: { tool: 'look', permissions: { network: [] } } });
  expect(more).toEqual([]);

  const denied = await served.run({ target: 'courier:send', params: '{"to":"me"}', dryRun: true });
  expect(denied.at(-1)).toMatchObject({ event: 'error', error: { code: 'denied' } });
  const wrong = await served.run({ target: 'courier:send', params: '{}', dryRun: true });
  expect(wrong.at(-1)).toMatchObject({ event: 'error', error: { code: 'usage' } });

  const whole = await served.post('/api/run', { target: 'courier:look', dryRun: true });
  expect(await whole.json()).toMatchObject({ tool: 'look' });
});
