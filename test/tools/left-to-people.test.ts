import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

/** Skills that their authors leave to people to call, each saying so in another way, and two that they do not. */
function machine(): World {
  const world = createWorld();
  const skill = (folder: string, extra = ''): void => {
    world.skill(folder, { description: 'Deploys the service.', ...(extra !== '' && { extra }) });
  };
  skill('home/.claude/skills/manual-yes', 'disable-model-invocation: true');
  skill('home/.codex/skills/manual-quoted', 'disable-model-invocation: "True"');
  skill('project/.agents/skills/manual-snake', 'disable_model_invocation: yes');
  skill('project/skills/manual-codex');
  world.write(
    'project/skills/manual-codex/agents/openai.yaml',
    'interface:\n  display_name: X\npolicy:\n  allow_implicit_invocation: false\n',
  );
  world.write('project/skills/manual-codex/scripts/go.sh', '#!/bin/sh\necho gone\n');
  skill('home/.claude/skills/offered-no', 'disable-model-invocation: false');
  skill('home/.claude/skills/offered-plain');
  world.write(
    'home/.claude/skills/offered-plain/agents/openai.yaml',
    'policy:\n  # allow_implicit_invocation: false\n  allow_implicit_invocation: true\n',
  );
  return world;
}

const manual = ['manual-codex', 'manual-quoted', 'manual-snake', 'manual-yes'];

/** All that a model can be shown without naming a skill. */
async function shownBy(server: StdioServer): Promise<Record<string, unknown>> {
  const call = (name: string, args: object = {}) => server.call(name, args);
  return {
    description: await server.tools(),
    list: await call('skills.list'),
    search: await call('skills.search', { query: 'deploys' }),
    list_skills: await call('skill-engine/list_skills'),
    search_skills: await call('skill-engine/search_skills', { query: 'deploy the service', top_k: 100 }),
    'near names': await call('skill', { name: 'manual' }),
    'near names of a run': await call('skill-engine/execute', {
      skill_name: 'manual-yess',
      tool_name: 'x',
      parameters: {},
    }),
    extension: await server.request('skills/list'),
    resources: await server.request('resources/list'),
    completion: await server.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: '' },
    }),
  };
}

describe('a skill that is left to people to call', () => {
  it("is offered to no model, whoever's folder it is in [C2-MANUAL-01]", async () => {
    const world = machine();
    for (const _start of ['first', 'second']) {
      const server = await connectStdio(world, ['serve', '--catalog-budget', '0']);
      for (const [where, shown] of Object.entries(await shownBy(server))) {
        const text = JSON.stringify(shown).replaceAll('manual-yess', '');
        expect(text, where).not.toContain('manual-');
        expect(text, where).toContain('offered-plain');
      }
      const { instructions } = await server.request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
      expect(instructions).not.toContain('manual-');
      expect((await server.call('skill-engine/list_skills')).structuredContent).toMatchObject({ total: 2 });
      expect((await server.call('skills.search', { query: 'deploys' })).structuredContent).toMatchObject({ total: 2 });
      await server.end();
    }
  });

  it('is there for people: as a prompt and on the command line [C2-MANUAL-02]', async () => {
    const world = machine();
    const server = await connectStdio(world);
    const { prompts } = await server.request<{ prompts: { name: string }[] }>('prompts/list');
    expect(prompts.map(({ name }) => name)).toEqual([...manual, 'offered-no', 'offered-plain']);
    for (const args of [['list'], ['search', 'deploy'], ['search', 'deploys', '--exact'], ['why', 'manual']]) {
      const { stdout } = await world.run(args);
      for (const name of manual) expect(stdout, args.join(' ')).toContain(name);
    }
    const near = await world.run(['show', 'manual-yess']);
    expect(near.stderr).toContain('manual-yes');
    expect((await world.run(['show', 'manual-yes'])).stdout).toContain('Loading: manual-yes');
    expect((await world.run(['run', 'manual-codex:go'])).stdout).toBe('gone\n');
  });

  it('can be loaded by its name, with its files: a person may have named it', async () => {
    const server = await connectStdio(machine(), ['serve']);
    for (const name of manual) expect(await server.load(name)).toContain(`Loading: ${name}\n`);
    const { content } = await server.call('skill', { name: 'manual-codex', file: 'scripts/go.sh' });
    expect(content[0]?.text).toContain('echo gone');
    const uri = 'skill://claude/manual-yes/SKILL.md';
    expect(await server.request('resources/read', { uri })).toMatchObject({ contents: [{ uri }] });
    expect(await server.request('skills/get', { uri })).toMatchObject({ skill: { uri } });
  });
});
