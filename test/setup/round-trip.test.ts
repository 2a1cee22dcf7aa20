import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, program } from '../support/world.ts';
import { agentFiles, livedIn, type Report, serverIn, textOf, wordsOf } from './agents.ts';

describe.each(agentFiles)('$id', (agent) => {
  const { id, global, format, key } = agent;

  it('gets an entry in a file that was not there, with absolute paths', async () => {
    const world = createWorld();
    const run = await world.run(['setup', id, '--json']);
    expect(run.code, run.stdout + run.stderr).toBe(0);
    const [report] = run.json<Report>().agents;
    expect(report).toMatchObject({ id, file: world.path(global), state: 'absent', action: 'add', done: true });
    expect(report?.backup).toBeNull();
    const words = wordsOf(serverIn(world, agent) ?? {});
    expect(words[0]).toMatch(/^\//);
    expect(words).toContain(program);
    expect(words).toContain('serve');
  });

  it('keeps every byte of a file that somebody lives with, and gives it back', async () => {
    const world = createWorld();
    const before = livedIn(agent);
    world.write(global, before);
    const added = await world.run(['setup', id, '--json']);
    expect(added.code, added.stdout + added.stderr).toBe(0);
    const [report] = added.json<Report>().agents;
    expect(report).toMatchObject({ action: 'add', done: true });
    expect(readFileSync(report?.backup ?? '', 'utf8')).toBe(before);

    const after = textOf(world, global) ?? '';
    const rest = new Set(after.split('\n'));
    // A comma may be put behind what was the last; else every line is still there, in its order.
    const kept = before.split('\n').filter((line) => !rest.has(line) && !rest.has(`${line},`));
    expect(kept).toEqual([]);
    expect(after).toContain('repertoire');

    const again = await world.run(['setup', id, '--json']);
    expect(again.json<Report>().agents[0]).toMatchObject({ state: 'current', action: 'none', done: false });
    expect(textOf(world, global)).toBe(after);

    const removed = await world.run(['setup', id, '--remove', '--json']);
    expect(removed.json<Report>().agents[0]).toMatchObject({ action: 'remove', done: true });
    expect(textOf(world, global)).toBe(before);

    const nothing = await world.run(['setup', id, '--remove']);
    expect(nothing.code).toBe(0);
    expect(textOf(world, global)).toBe(before);
  });

  it('shows the change as a diff, hides the keys of others in it, and writes nothing', async () => {
    const world = createWorld();
    const before = livedIn(agent);
    world.write(global, before);
    const run = await world.run(['setup', id, '--dry-run']);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m);
    expect(run.stdout).toMatch(/^\+.*repertoire/m);
    expect(run.stdout).not.toContain('sk-very-secret');
    expect(textOf(world, global)).toBe(before);
  });

  it('leaves alone what cannot be parsed, and shows what to paste', async () => {
    const world = createWorld();
    const broken = { json: '{ "a": ', toml: 'a = = 1\n', yaml: 'a: [1\nb: }\n' }[format];
    world.write(global, broken);
    const run = await world.run(['setup', id]);
    expect(run.code).toBe(1);
    expect(textOf(world, global)).toBe(broken);
    expect(run.stdout).toContain('left alone');
    expect(run.stdout).toContain(key);
    expect(run.stdout).toContain(program);
  });
});

describe('what a dry run hides', () => {
  it('is the value of what looks secret, and no map, choice or list of other things', async () => {
    const world = createWorld();
    const lines = [
      '{',
      '  "security": { "auth": { "selectedType": "gemini-api-key" } },',
      '  "tokens": [',
      '    "first-secret"',
      '  ],',
      '  "mcpServers": {}',
      '}',
      '',
    ];
    world.write('home/.gemini/settings.json', lines.join('\n'));
    const run = await world.run(['setup', 'gemini-cli', '--dry-run']);
    expect(run.stdout).toContain('    (hidden)');
    expect(run.stdout).not.toContain('first-secret');
    world.write(
      'home/.gemini/settings.json',
      lines.toSpliced(2, 3, '  "keys": ["second-secret"], "x": "sk-third-secret",').join('\n'),
    );
    const other = await world.run(['setup', 'gemini-cli', '--dry-run']);
    expect(other.stdout).toContain('"auth": { "selectedType": "gemini-api-key" }');
    expect(other.stdout).toContain('"keys": (hidden), "x": "(hidden)",');
  });
});

describe('what is there already', () => {
  it('keeps what somebody has added to our entry, and changes only what is wrong', async () => {
    const world = createWorld();
    world.write(
      'home/.cursor/mcp.json',
      '{\n  "mcpServers": {\n    "repertoire": {\n      // the old one\n      "command": "npx",\n' +
        '      "args": ["-y", "repertoire", "mcp"],\n      "env": { "A": "b" } // needed\n    }\n  }\n}\n',
    );
    const run = await world.run(['setup', 'cursor', '--json']);
    expect(run.json<Report>().agents[0]).toMatchObject({ state: 'differs', action: 'update', done: true });
    const text = textOf(world, 'home/.cursor/mcp.json') ?? '';
    expect(text).toContain('// the old one');
    expect(text).toContain('"env": { "A": "b" } // needed');
    expect(text).not.toContain('npx');
  });

  it('does not change a limit that somebody has chosen', async () => {
    const world = createWorld();
    await world.run(['setup', 'codex']);
    const text = textOf(world, 'home/.codex/config.toml') ?? '';
    expect(text).toMatch(/startup_timeout_sec = 30/);
    world.write('home/.codex/config.toml', text.replace('startup_timeout_sec = 30', 'startup_timeout_sec = 7'));
    const run = await world.run(['setup', 'codex', '--json']);
    expect(run.json<Report>().agents[0]).toMatchObject({ state: 'current' });
  });

  it('tells of an entry by another name that starts the same program', async () => {
    const world = createWorld();
    const other = (args: string[]) => ({ command: 'npx', args });
    world.writeJson('home/.cursor/mcp.json', {
      mcpServers: { skills: other(['-y', 'repertoire', 'mcp']), tools: other(['-y', 'my-repertoire']) },
    });
    const run = await world.run(['setup', 'cursor']);
    expect(run.stdout).toContain('The entry skills starts Repertoire too');
    expect(run.stdout).not.toContain('The entry tools');
  });

  it.each(['[]', '{ "mcpServers": [] }', '{ "mcpServers": null, "mcpServers": {} }'])(
    'leaves %s alone',
    async (text) => {
      const world = createWorld();
      world.write('home/.cursor/mcp.json', text);
      const run = await world.run(['setup', 'cursor']);
      expect(run.code).toBe(1);
      expect(textOf(world, 'home/.cursor/mcp.json')).toBe(text);
      expect(run.stdout).toContain('Add this to');
    },
  );

  it('does the others when one cannot be done', async () => {
    const world = createWorld();
    world.write('home/.cursor/mcp.json', '{');
    const run = await world.run(['setup', 'cursor', 'codex', '--json']);
    expect(run.code).toBe(1);
    const { agents, ok } = run.json<Report>();
    expect(ok).toBe(false);
    expect(agents.find(({ id }) => id === 'cursor')).toMatchObject({ done: false, state: 'unparseable' });
    expect(agents.find(({ id }) => id === 'codex')).toMatchObject({ done: true });
  });

  it('follows a file that is a link to where it really is', async () => {
    const world = createWorld();
    world.write('dotfiles/mcp.json', '{}\n');
    world.link('dotfiles/mcp.json', 'home/.cursor/mcp.json');
    expect((await world.run(['setup', 'cursor'])).code).toBe(0);
    expect(textOf(world, 'dotfiles/mcp.json')).toContain('repertoire');
  });
});
