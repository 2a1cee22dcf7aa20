import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRepertoire } from '../../src/index.ts';
import { lab, run } from '../execute/library.ts';
import { clientOverHttp, clientOverStdio, eras } from '../extension/clients.ts';
import { connectStdio, startStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { activityOf, folderOf, linesIn } from './log.ts';

function worldWithSkills(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf', { description: 'Merge and split PDF files.' });
  world.write('home/.claude/skills/pdf/notes/long.md', '# Long\n');
  return world;
}

const ways = eras.flatMap((era) => [
  { era, over: 'stdio', connect: clientOverStdio },
  { era, over: 'HTTP', connect: clientOverHttp },
]);

describe('what agents do with skills', () => {
  it.each(ways)('is written down with the name of the client, $era over $over', async ({ era, connect }) => {
    const world = worldWithSkills();
    const client = await connect(world, era);
    await client.callTool({ name: 'skill', arguments: { name: 'PDF' } });
    await client.callTool({ name: 'skill', arguments: { name: 'pdf', file: './notes/long.md' } });
    await client.callTool({ name: 'skill', arguments: { name: 'pfd' } });
    await client.callTool({ name: 'skills.search', arguments: { query: 'split merge' } });
    await client.callTool({ name: 'skill-engine_search_skills', arguments: { query: 'merge two PDF files' } });
    await client.callTool({ name: 'skills.list', arguments: {} });
    await client.readResource({ uri: 'skill://claude/pdf/SKILL.md' });
    await client.readResource({ uri: 'skill://claude/pdf/notes/long.md' });
    await client.readResource({ uri: 'skill://claude/pfd/SKILL.md' }).catch(() => {});
    await client.readResource({ uri: 'skill://claude/pdf/none.md' }).catch(() => {});
    await client.getPrompt({ name: 'pdf' });
    await expect.poll(() => linesIn(world).length).toBe(10);
    const { rows } = await activityOf(world);
    const told = rows
      .toReversed()
      .map(({ what, skill, detail, hits, outcome }) => [what, skill, detail, hits, outcome]);
    expect(told).toEqual([
      ['loaded', 'pdf', null, null, 'ok'],
      ['loaded', 'pdf', 'notes/long.md', null, 'ok'],
      ['loaded', 'pfd', null, null, 'not-found'],
      ['searched', null, 'split merge', 1, 'ok'],
      ['searched', null, 'merge two PDF files', 1, 'ok'],
      ['loaded', 'pdf', null, null, 'ok'],
      ['loaded', 'pdf', 'notes/long.md', null, 'ok'],
      ['loaded', 'skill://claude/pfd/SKILL.md', null, null, 'not-found'],
      ['loaded', 'pdf', 'none.md', null, 'not-found'],
      ['loaded', 'pdf', null, null, 'ok'],
    ]);
    expect(new Set(rows.map(({ client: name }) => name))).toEqual(new Set(['test']));
  });

  it('is kept when the client leaves at once', async () => {
    const world = worldWithSkills();
    const server = await connectStdio(world, ['mcp']);
    await server.load('pdf');
    expect(await server.end()).toBe(0);
    expect(linesIn(world)).toHaveLength(1);
  });

  it('is told beside runs, which are in the audit log alone', async () => {
    const world = lab({ say: 'echo hi', fail: 'exit 3' });
    const server = await connectStdio(world, ['serve']);
    await server.load('lab');
    await run(server, 'say');
    await run(server, 'fail');
    await server.end();
    expect((await world.run(['search', 'lab'])).code).toBe(0);
    expect(linesIn(world)).toHaveLength(2);
    const { rows } = await activityOf(world);
    const told = rows.map(({ what, client, skill, detail, outcome }) => [what, client, skill, detail, outcome]);
    expect(told).toEqual([
      ['searched', 'cli', null, 'lab', 'ok'],
      ['ran', 'test', 'lab', 'fail', 'exited 3'],
      ['ran', 'test', 'lab', 'say', 'ok'],
      ['loaded', 'test', 'lab', null, 'ok'],
    ]);
    expect(rows[1]?.execution).toMatch(/./);
    const only = async (...args: string[]) => (await activityOf(world, args)).rows.map(({ detail }) => detail);
    expect(await only('--what', 'ran')).toEqual(['fail', 'say']);
    expect(await only('--client', 'cli')).toEqual(['lab']);
    expect(await only('--skill', 'lab', '--limit', '2')).toEqual(['fail', 'say']);
    expect(await only('--since', '1h', '--limit', '1')).toEqual(['lab']);
    expect(await only('--since', '2100-01-01')).toEqual([]);
  });

  it('is written by programs that use the library as well, unless they say no', async () => {
    const world = worldWithSkills();
    const given = { cwd: world.project, home: world.home, env: world.environment(), autoRefresh: false };
    const silent = createRepertoire({ ...given, activity: false });
    await silent.load('pdf');
    silent.close();
    const repertoire = createRepertoire(given);
    await repertoire.load('pdf');
    await repertoire.searchExact('merge');
    repertoire.close();
    await expect.poll(() => linesIn(world).length).toBe(2);
    const { rows } = await activityOf(world);
    expect(rows.map(({ what, client }) => `${client} ${what}`).sort()).toEqual(['library loaded', 'library searched']);
  });

  it('is told once in the log of a server where it cannot be written, and calls go on', async () => {
    const world = worldWithSkills();
    writeFileSync(world.path('home/.local'), 'no folder');
    const server = await connectStdio(world, ['mcp']);
    expect(await server.load('pdf')).toContain('# Text');
    const warning = /warn +searches and loads cannot be logged \(ENOTDIR\)/g;
    await server.logged(new RegExp(warning.source));
    expect(await server.load('pdf')).toContain('# Text');
    await server.end();
    expect(server.stderr.match(warning)).toHaveLength(1);
  });

  it('is not written down when that is switched off, in whichever way', async () => {
    const world = worldWithSkills();
    await world.run(['show', 'pdf', '--no-activity']);
    await world.run(['search', 'pdf'], { env: { REPERTOIRE_ACTIVITY: 'off' } });
    world.write('home/.config/repertoire/config.toml', 'activity = false\n');
    await world.run(['show', 'pdf']);
    const server = startStdio(world, ['mcp']);
    await server.initialize();
    await server.load('pdf');
    await server.end();
    expect(linesIn(world)).toEqual([]);
    expect((await activityOf(world)).kept).toBe(false);
    expect((await world.run(['activity'])).stderr).toContain('not logged');
    rmSync(world.path('home/.config/repertoire/config.toml'));
    await world.run(['show', 'pdf']);
    expect(linesIn(world)).toHaveLength(1);
    expect((await activityOf(world)).kept).toBe(true);
    rmSync(folderOf(world), { recursive: true });
    expect((await world.run(['activity'])).stdout).toBe('No activity yet.\n');
  });

  it.each([true, false])('is not for a project to switch: %s', async (value) => {
    const world = worldWithSkills();
    world.write('project/repertoire.toml', `\nactivity = ${value}\n`);
    const { code, stderr } = await world.run(['show', 'pdf']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/repertoire\.toml:2: a project may not set "activity"/);
    expect(linesIn(world)).toEqual([]);
  });
});
