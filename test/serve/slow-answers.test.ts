import { expect, it } from 'vitest';
import { startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { askModern, openSession } from './http.ts';

/** Far longer than the server waits before it sends the headers alone. */
const naps = [0, 0.03, 0.2];

it('answers over HTTP arrive whole however long they take', async () => {
  const world = createWorld();
  world.skill('project/skills/sleeper');
  world.write('project/skills/sleeper/scripts/nap.sh', '#!/bin/sh\nsleep "$1"\necho "slept $1"\n');
  world.mode('project/skills/sleeper/scripts/nap.sh', 0o755);
  const { url } = await startHttp(world, ['serve', '--http']);
  const session = await openSession(url);
  const call = (nap: number) => ({
    name: 'skill-engine/execute',
    arguments: { skill_name: 'sleeper', tool_name: 'nap', parameters: { args: [String(nap)] } },
  });
  for (const nap of naps) {
    const answer = await session.ask('tools/call', call(nap));
    expect([nap, answer.status, JSON.stringify(answer.messages.at(-1)?.result)]).toEqual([
      nap,
      200,
      expect.stringContaining(`slept ${nap}`),
    ]);
    const modern = await askModern(url, 'tools/call', call(nap));
    expect(JSON.stringify(modern.messages.at(-1)?.result)).toContain(`slept ${nap}`);
  }
});
