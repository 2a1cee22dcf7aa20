import { describe, expect, it } from 'vitest';
import { connectStdio, type Message, type StdioServer } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

async function oneSkill(): Promise<StdioServer> {
  const world = createWorld();
  world.skill('home/.claude/skills/git');
  return connectStdio(world);
}

function callWith(server: StdioServer, args: unknown): Promise<Message> {
  return server.ask('tools/call', { name: 'skill', arguments: args });
}

describe('what the tool skill is called with', () => {
  it('an empty name is refused as invalid parameters, in these words [S3-INPUT-02 S3-SEC-01 S3-TEST-04 C2-SKILL-05]', async () => {
    const server = await oneSkill();
    const refusal = { code: -32602, message: 'Skill name cannot be empty' };
    for (const args of [{ name: '' }, { command: '' }, { name: ' \t\n' }]) {
      expect((await callWith(server, args)).error).toEqual(refusal);
    }
    for (const name of [null, 5, true, ['git'], { name: 'git' }]) {
      expect((await callWith(server, { name })).error).toEqual({ code: -32602, message: '`name` must be a string' });
    }
  });

  it('a missing name is refused as invalid parameters, in these words [C2-SKILL-06]', async () => {
    const server = await oneSkill();
    const refusal = { code: -32602, message: '`name` is required' };
    expect((await callWith(server, {})).error).toEqual(refusal);
    expect((await callWith(server, { file: 'SKILL.md' })).error).toEqual(refusal);
    expect((await server.ask('tools/call', { name: 'skill' })).error).toEqual(refusal);
    for (const args of ['{"__proto__":{"name":"git"}}', '{"Name":"git"}', '{"":"git"}']) {
      expect((await callWith(server, JSON.parse(args))).error).toEqual(refusal);
    }
  });

  it('command stands for name, and nothing else is taken [S3-INPUT-04 C2-SKILL-04]', async () => {
    const server = await oneSkill();
    const byCommand = await server.call('skill', { command: 'git' });
    expect(byCommand).toEqual(await server.call('skill', { name: 'git' }));
    expect(byCommand.content[0]?.text).toMatch(/^Loading: git\n/);
    for (const [args, stranger] of [
      [{ name: 'git', x: 1 }, 'x'],
      [{ name: 'git', command: 'git' }, 'command'],
      [{ command: 'git', names: [] }, 'names'],
      [{ name: 'git', constructor: {} }, 'constructor'],
      [{ name: 'git', toString: 1 }, 'toString'],
    ] as const) {
      const message = `unknown argument \`${stranger}\`; known: name, file, offset`;
      expect((await callWith(server, args)).error).toEqual({ code: -32602, message });
    }
  });

  it('a name thousands of lists deep is refused like any other that is no text', async () => {
    const server = await oneSkill();
    const answer = server.next(({ id }) => id === 'deep');
    const deep = '['.repeat(6000) + ']'.repeat(6000);
    const params = `{"name":"skill","arguments":{"name":${deep}}}`;
    server.write(`{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":${params}}\n`);
    expect((await answer).error).toEqual({ code: -32602, message: '`name` must be a string' });
  });

  it('arguments that are no object are invalid parameters', async () => {
    const server = await oneSkill();
    for (const args of [null, 'git', 1, ['git'], true]) {
      expect((await callWith(server, args)).error?.code, JSON.stringify(args)).toBe(-32602);
    }
    expect(await server.load('git')).toMatch(/^Loading: git\n/);
  });

  it('a file and an offset must be what the schema says', async () => {
    const server = await oneSkill();
    for (const [args, message] of [
      [{ file: '' }, '`file` cannot be empty'],
      [{ file: 1 }, '`file` must be a string'],
      [{ file: null }, '`file` must be a string'],
      [{ file: 'SKILL.md', offset: -1 }, '`offset` must be at least 0, not -1'],
      [{ file: 'SKILL.md', offset: 1.5 }, '`offset` must be an integer'],
      [{ file: 'SKILL.md', offset: '0' }, '`offset` must be an integer'],
      [{ file: 'SKILL.md', offset: 1e300 }, '`offset` must be an integer'],
    ] as const) {
      expect((await callWith(server, { name: 'git', ...args })).error).toEqual({ code: -32602, message });
    }
  });

  it('a name of a million characters, or half of one, is answered like any other', async () => {
    const server = await oneSkill();
    for (const name of ['z'.repeat(1_000_000), '\ud800', '😀'.repeat(1000), 'constructor', '__proto__']) {
      const { content, isError } = await server.call('skill', { name });
      expect(isError).toBe(true);
      expect(content[0]?.text).toMatch(/' not found\.\n/);
    }
    expect(await server.load('git')).toMatch(/^Loading: git\n/);
  });

  it('a name cannot be a path, whatever it is wrapped in', async () => {
    const server = await oneSkill();
    for (const name of [
      '../git',
      '/etc/passwd',
      'git/SKILL.md',
      'a\\b',
      'git\0',
      '..',
      'skill://../git/SKILL.md',
      'skill://%2e%2e%2fgit/SKILL.md',
      'skill://a%5cb/SKILL.md',
      'file:///etc/passwd',
    ]) {
      const { error, result } = await callWith(server, { name });
      expect(result, name).toBeUndefined();
      expect(error?.code, name).toBe(-32602);
      expect(error?.message, name).toMatch(/is not a skill name: it could name a path/);
    }
  });
});
