import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { clientOverHttp, clientOverStdio, eras } from './clients.ts';

interface Prompt {
  name: string;
  description: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

async function prompts(server: StdioServer): Promise<Prompt[]> {
  return (await server.request<{ prompts: Prompt[] }>('prompts/list')).prompts;
}

async function get(server: StdioServer, name: string, args?: object): Promise<string> {
  const { messages } = await server.request<{ messages: { role: string; content: { type: string; text: string } }[] }>(
    'prompts/get',
    { name, ...(args && { arguments: args }) },
  );
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }]);
  return messages[0]?.content.text ?? '';
}

async function complete(server: StdioServer, name: string, argument: string, value: string): Promise<string[]> {
  const params = { ref: { type: 'ref/prompt', name }, argument: { name: argument, value } };
  return (await server.request<{ completion: { values: string[] } }>('completion/complete', params)).completion.values;
}

const skills = 'home/.claude/skills';

function worldOf(fields: Readonly<Record<string, string>>): World {
  const world = createWorld();
  for (const [name, extra] of Object.entries(fields)) world.skill(`${skills}/${name}`, extra === '' ? {} : { extra });
  return world;
}

describe('prompts', () => {
  it('there is one for each skill that a user may call, and none for one that only a model may [C2-EXT-15 C2-EXT-16]', async () => {
    const world = worldOf({
      plain: '',
      said: 'user-invocable: true',
      'only-user': 'disable-model-invocation: true',
      not: 'user-invocable: false',
      quoted: 'user-invocable: "false"',
      Upper: '', // the extension does not carry it
    });
    const server = await connectStdio(world);
    const listed = await prompts(server);
    expect(listed.map(({ name }) => name)).toEqual(['Upper', 'only-user', 'plain', 'said']);
    expect(listed[2]).toMatchObject({ name: 'plain', description: 'What plain does.' });
    for (const { name } of listed) expect(await get(server, name)).toContain(`Loading: ${name}\n`);
    for (const name of ['not', 'quoted', 'none', '', '../plain', 'PLAIN']) {
      const { error } = await server.ask('prompts/get', { name });
      expect(error, name).toMatchObject({ code: -32602, message: expect.stringContaining(`'${name}'`) });
    }
    // Hidden from users, not from models.
    expect(await server.load('not')).toContain('Loading: not\n');
  });

  it('gives the same text as the tool, with what the user said put in its places', async () => {
    const world = createWorld();
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the skill's placeholder, not ours
    const body = '\nAll: $ARGUMENTS\nFirst: $0, second: $ARGUMENTS[1]\nCosts \\$1 here: ${CLAUDE_SKILL_DIR}/x\n';
    world.skill(`${skills}/places`, { body });
    world.skill(`${skills}/plain`);
    world.write(`${skills}/plain/references/FORMS.md`, 'x');
    const server = await connectStdio(world);
    expect(await get(server, 'plain')).toBe(await server.load('plain'));
    expect(await get(server, 'plain', { arguments: 'do it' })).toMatch(/# Text\n\nARGUMENTS: do it$/);
    const filled = await get(server, 'places', { arguments: '"one two" $& three' });
    expect(filled).toContain('All: "one two" $& three\nFirst: one two, second: $&\n');
    expect(filled).toContain(`Costs $1 here: ${world.path(skills)}/places/x\n`);
  });

  it('names arguments that a skill declares, and refuses others', async () => {
    const world = worldOf({ move: 'arguments: [source, target]\nargument-hint: "[add|remove] <path>"', free: '' });
    world.write(`${skills}/move/scripts/run.sh`, 'x');
    const server = await connectStdio(world);
    const [free, move] = await prompts(server);
    expect(move?.arguments.map(({ name, required }) => [name, required])).toEqual([
      ['source', false],
      ['target', false],
    ]);
    expect(free?.arguments).toHaveLength(1);
    expect(await get(server, 'move', { source: 'a', target: 'b' })).toContain('ARGUMENTS: a b');
    for (const given of [{ sauce: 'x' }, { source: 1 }, { arguments: 'x' }, { __proto__x: 'x' }]) {
      const { error } = await server.ask('prompts/get', { name: 'move', arguments: given });
      expect(error, JSON.stringify(given)).toMatchObject({ code: -32602 });
    }
    expect(await complete(server, 'move', 'source', 'a')).toEqual(['add']);
    expect(await complete(server, 'move', 'target', 'scripts/')).toEqual(['scripts/run.sh']);
    expect(await complete(server, 'free', 'arguments', '../')).toEqual([]);
    for (const [name, argument] of [
      ['none', 'arguments'],
      ['move', 'sauce'],
    ]) {
      const params = { ref: { type: 'ref/prompt', name }, argument: { name: argument, value: '' } };
      expect((await server.ask('completion/complete', params)).error).toMatchObject({ code: -32602 });
    }
  });

  it('names each so that it is the one that is meant', async () => {
    const world = worldOf({ pdf: '' });
    world.skill('home/.codex/skills/pdf');
    const server = await connectStdio(world);
    expect((await prompts(server)).map(({ name }) => name)).toEqual(['claude:pdf', 'codex:pdf']);
    expect(await get(server, 'codex:pdf')).toContain(`Base directory: ${world.path('home/.codex/skills/pdf')}\n`);
  });

  it('puts the same header before a text as the tool does', async () => {
    const server = await connectStdio(worldOf({ plain: '' }), ['mcp', '--header', 'loading']);
    expect(await get(server, 'plain')).toBe(await server.load('plain'));
    expect(await get(server, 'plain')).toMatch(/^Loading: plain\nBase directory: .*\n\n---\n/);
  });

  for (const era of eras) {
    it(`the protocol's own client lists, gets and completes them, ${era}`, async () => {
      const world = worldOf({ move: 'argument-hint: "[add|remove]"', not: 'user-invocable: false' });
      for (const client of [await clientOverStdio(world, era), await clientOverHttp(world, era)]) {
        expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['move']);
        const { messages } = await client.getPrompt({ name: 'move', arguments: { arguments: 'add' } });
        expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('ARGUMENTS: add') });
        const { completion } = await client.complete({
          ref: { type: 'ref/prompt', name: 'move' },
          argument: { name: 'arguments', value: 'r' },
        });
        expect(completion.values).toEqual(['remove']);
      }
    });
  }
});
