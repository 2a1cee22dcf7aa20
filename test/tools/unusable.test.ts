import { expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

/** A skill without a description, in a folder of another name; and one without front matter. */
function machine(): World {
  const world = createWorld();
  world.write('home/.claude/skills/folder/SKILL.md', '---\nname: "given"\n---\nText\n');
  world.write('home/.claude/skills/broken/SKILL.md', '# Broken\n');
  world.skill('home/.claude/skills/whole');
  return world;
}

it('a skill that was found and cannot be used is answered with its file and the reason [C2-BROKEN-01]', async () => {
  const world = machine();
  const server = await connectStdio(world, ['serve']);
  const path = world.path('home/.claude/skills/folder/SKILL.md');
  for (const name of ['folder', 'given', 'GIVEN', 'claude:given', 'skill://claude/given/SKILL.md']) {
    const text = `Skill '${name}' was found but cannot be loaded: ${path}:2:1: description is missing or empty\n\nAdd a line description: … to the front matter.`;
    expect(await server.call('skill', { name }), name).toEqual({ content: [{ type: 'text', text }], isError: true });
    const call = { skill_name: name, tool_name: 'x', parameters: {} };
    expect(await server.call('skill-engine/execute', call)).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
    });
    for (const args of [
      ['show', name],
      ['run', `${name}:tool`],
    ]) {
      const { code, stderr } = await world.run(args);
      expect([code, stderr], args.join(' ')).toEqual([
        1,
        expect.stringContaining(`${path}:2:1: description is missing`),
      ]);
    }
    expect((await world.run(['why', name])).stdout).toContain('description is missing');
  }
  expect((await server.call('skill', { name: 'broken' })).content[0]?.text).toMatch(
    /^Skill 'broken' was found but cannot be loaded: .*\/broken\/SKILL\.md:\d+:\d+: /,
  );
});

it('a skill whose SKILL.md is a link out of its folder, or to nothing, is answered with the file and the reason', async () => {
  const world = machine();
  world.write('home/elsewhere.md', '---\nname: out\ndescription: d\n---\n');
  world.link('home/elsewhere.md', 'home/.claude/skills/out/SKILL.md');
  world.link('home/nowhere.md', 'home/.claude/skills/gone/SKILL.md');
  world.link('home/elsewhere.md', 'home/.claude/skills/whole/notes.md');
  const server = await connectStdio(world);
  for (const [name, reason] of [
    ['out', 'SKILL.md is a link to a file outside its folder'],
    ['gone', 'SKILL.md is a link to a file that does not exist'],
  ] as const) {
    const path = world.path(`home/.claude/skills/${name}/SKILL.md`);
    expect(await server.call('skill', { name })).toMatchObject({
      content: [{ text: expect.stringContaining(`was found but cannot be loaded: ${path}: ${reason}`) }],
      isError: true,
    });
  }
  expect(await server.load('notes.md')).toMatch(/^Skill 'notes\.md' not found\./);
});

it('a skill that was mended is loaded at once', async () => {
  const world = machine();
  const server = await connectStdio(world);
  expect(await server.load('broken')).toContain('cannot be loaded');
  world.skill('home/.claude/skills/broken');
  expect(await server.load('broken')).toContain('Loading: broken\n');
});
