import { expect, it } from 'vitest';
import { createWorld } from '../../../../test/support/world.ts';
import { hostEnvironment } from '../../../core/environment.ts';
import { sha256 } from '../../../core/hash.ts';
import { toolboxOf } from '../toolbox.ts';

it("a project's manifest is digested by the very bytes that were read", async () => {
  const world = createWorld();
  const id = world.skill('project/skills/demo');
  const skill = { id, file: `${id}/SKILL.md`, name: 'demo', fullName: 'demo' };
  const environment = hostEnvironment({ home: world.home, cwd: world.project, env: {} });
  for (const text of ['[skills.demo.tools.one]\ncommand = ["true"]\n', '[skills.demo\n']) {
    const file = world.write('project/.skill-engine.toml', text);
    const { outside } = await toolboxOf(skill, environment);
    // Text that is written after the reading has had no say; a grant is for the text that was read.
    world.write('project/.skill-engine.toml', '[skills.demo.tools.two]\ncommand = ["false"]\n');
    expect(outside).toEqual({ [file]: `sha256:${sha256(text)}` });
  }
});
