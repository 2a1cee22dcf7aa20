import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { toolSkill } from './library.ts';

interface Listed {
  skills: {
    name: string;
    runtime: string;
    tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  }[];
  total: number;
  nextOffset?: number;
}

describe('skill-engine/list_skills', () => {
  it('shows the tools of each skill, what they take, and how they run [C2-ENGINE-03]', async () => {
    const world = createWorld();
    toolSkill(world, 'lab', { say: 'echo', 'look-up': 'echo' });
    world.write('project/skills/boxed/skill.toml', '[skill]\nimage = "alpine:3.20"\n[tools.count]\ncommand = ["wc"]\n');
    world.skill('project/skills/boxed');
    world.write('project/skills/module/go.wasm', Buffer.from('0061736d01000000', 'hex'));
    world.write('project/skills/module/skill.toml', '[skill]\nmodule = "go.wasm"\n');
    world.skill('project/skills/module');
    world.skill('project/skills/words');
    const server = await connectStdio(world, ['serve']);
    const { content, structuredContent } = await server.call('skill-engine/list_skills');
    const { skills, total } = structuredContent as unknown as Listed;
    expect(total).toBe(4);
    const short = skills.map(({ name, runtime, tools }) => [name, runtime, tools.map((one) => one.name)]);
    expect(Object.fromEntries(short.map(([name, ...rest]) => [name, rest]))).toEqual({
      lab: ['native', ['say', 'look-up']],
      boxed: ['docker', ['count']],
      module: ['wasm', ['run']],
      words: ['none', []],
    });
    const say = skills.find(({ name }) => name === 'lab')?.tools[0];
    expect(say).toMatchObject({
      description: 'Does say.',
      parameters: { type: 'object', properties: { value: { type: 'string', description: 'What to do it with.' } } },
    });
    expect(content[0]?.text).toContain('- lab: What lab does.\n  - say(value?) [native]: Does say.');
    expect(content[0]?.text).toContain('  - count() [docker]: ');
  });

  it('shows them a page at a time [C2-ENGINE-03]', async () => {
    const world = createWorld();
    for (const name of ['a', 'b', 'c']) toolSkill(world, name, { [`do-${name}`]: 'echo' });
    const server = await connectStdio(world, ['serve']);
    const seen: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const { structuredContent } = await server.call('skill-engine/list_skills', { limit: 2, offset });
      const { skills, nextOffset } = structuredContent as unknown as Listed;
      seen.push(...skills.flatMap(({ tools }) => tools.map(({ name }) => name)));
      offset = nextOffset;
    }
    expect(seen).toEqual(['do-a', 'do-b', 'do-c']);
  });

  it('shows the others where the tools of one are declared wrongly [C2-ENGINE-03]', async () => {
    const world = createWorld();
    toolSkill(world, 'good', { say: 'echo' });
    world.skill('project/skills/broken');
    world.write(
      'project/skills/broken/skill.toml',
      '[skill]\nruntime = "native"\nbogus = 1\n[tools.x]\ncommand = ["ls"]\n',
    );
    const server = await connectStdio(world, ['serve']);
    const { structuredContent } = await server.call('skill-engine/list_skills');
    const { skills } = structuredContent as unknown as Listed;
    expect(skills.map(({ name, tools }) => [name, tools.length])).toEqual([
      ['broken', 0],
      ['good', 1],
    ]);
    const args = { skill_name: 'broken', tool_name: 'x', parameters: {} };
    const { isError, content } = await server.call('skill-engine/execute', args);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/skill\.toml:3: .*bogus/)]);
  });
});
