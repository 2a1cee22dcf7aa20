import { expect } from 'vitest';
import { fakeAddon } from '../sandbox/guests/addons.ts';
import { mirrorTools } from '../sandbox/guests/components.ts';
import { proves } from '../support/proves.ts';
import { createWorld } from '../support/world.ts';

/** What the stand-in for the add-on makes of any component: the four functions, plain. */
const generated = `export function instantiate(load, imports) {
  return {
    getMetadata: () => '{"name":"mirror"}',
    getTools: () => ${JSON.stringify(mirrorTools)},
    executeTool: (tool, json) => json,
    validateConfig: (json) => json,
  };
}`;

const component = Buffer.from('\0asm\x0d\0\x01\0', 'latin1');

proves('C4-TOOLS-02', 'the tools that a component exports are those of a skill without a manifest', async () => {
  const world = createWorld();
  fakeAddon(world.project, generated);
  world.skill('project/skills/looking-glass');
  world.write('project/skills/looking-glass/mirror.wasm', component);
  const { skills } = (await world.run(['tools', 'looking-glass', '--json'])).json<{ skills: unknown[] }>();
  expect(skills).toMatchObject([
    {
      runtime: 'wasm',
      source: 'component',
      problems: [],
      tools: [{ name: 'mirror', parameters: { required: ['ok'] } }],
    },
  ]);
  const given = JSON.stringify({ ok: { success: true, output: 'seen' } });
  const { code, stdout, stderr } = await world.run(['run', 'looking-glass:mirror', '--params', given]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('seen');
});
