import { describe, expect, it } from 'vitest';
import type { GrantOutput } from '../../src/engine/operations/running/grant.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

/** Names that a reader takes for `pdf`, and how each is listed. */
const forged: readonly (readonly [written: string, listed: string])[] = [
  ['pdf\u200b', 'pdf[U+200B]'],
  ['\u0440df', '[U+0440]df'],
  ['p\u0434f', 'p[U+0434]f'],
  ['\uff50df', '[U+FF50]df'],
  ['p\u{1d41d}f', 'p[U+1D41D]f'],
  ['PDF', 'PDF'],
];

function machine(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf');
  for (const [index, [name]] of forged.entries())
    world.skill(`project/.claude/skills/copy-${index}`, { name: JSON.stringify(name) });
  return world;
}

describe('a name that looks like that of another skill', () => {
  it('is listed with its misleading characters by number, and says which skill it looks like', async () => {
    const world = machine();
    const { skills, diagnostics } = await world.list();
    const listed = skills.filter(({ location }) => location === 'project').map(({ fullName }) => fullName);
    expect(listed.sort()).toEqual(forged.map(([, name]) => name).sort());
    const noted = diagnostics.filter(({ code }) => code === 'looks-like');
    expect(noted).toHaveLength(forged.length);
    for (const { message, remedy, severity } of noted) {
      expect(severity).toBe('warning');
      expect(message).toContain(`looks like "pdf", which is ${world.home}/.claude/skills/pdf/SKILL.md`);
      expect(remedy).toContain('--confirm-name');
    }
    const { stdout } = await world.run(['list']);
    expect(stdout).toContain('[U+0440]df [looks like pdf]');
    expect(stdout).not.toMatch(/pdf \[looks like/);
    expect((await world.run(['doctor'])).stdout).toContain('"[U+0440]df" looks like "pdf"');
    expect((await world.run(['search', 'what', '\u0440df', 'does'])).stdout).toContain('[U+0440]df');
  });

  it('is told apart in what models are shown', async () => {
    const world = machine();
    const server = await connectStdio(world, ['serve']);
    const tools = await server.request('tools/list');
    const text = JSON.stringify(tools);
    for (const [written, listed] of forged) {
      expect(text).toContain(`<name>${listed}</name>`);
      if (written !== listed) expect(text).not.toContain(`<name>${written}</name>`);
    }
    const listing = JSON.stringify(await server.request('tools/call', { name: 'skills.list', arguments: {} }));
    expect(listing).toContain('"name":"[U+0440]df"');
  });

  it('can be asked for as it is listed, and as it is written where that is exact', async () => {
    const world = machine();
    for (const [written, listed] of forged) {
      for (const name of written.includes('\u200b') ? [listed] : [written, listed]) {
        const { skill } = (await world.run(['show', name, '--json'])).json<{ skill: { fullName: string } }>();
        expect(skill.fullName).toBe(listed);
      }
    }
    const { skill } = (await world.run(['show', 'pdf', '--json'])).json<{ skill: { location: string } }>();
    expect(skill.location).toBe('global');
  });

  it('is granted nothing until the name is confirmed', async () => {
    const world = machine();
    for (const folder of ['home/.claude/skills/pdf', 'project/.claude/skills/copy-1']) {
      world.write(`${folder}/skill.toml`, '[capabilities]\nenv = ["REGION"]\n[tools.t]\ncommand = ["true"]\n');
    }
    const refused = await world.run(['grant', '[U+0440]df', '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("the name of skill '[U+0440]df' looks like that of 'pdf'");
    expect(refused.stderr).toContain("repertoire grant '[U+0440]df' --yes --confirm-name '[U+0440]df'");
    expect((await world.run(['grant', '[U+0440]df', '--yes', '--confirm-name', 'pdf'])).code).toBe(1);
    expect((await world.run(['grants', '--json'])).json<{ grants: unknown[] }>().grants).toEqual([]);
    const confirmed = ['grant', '[U+0440]df', '--yes', '--confirm-name', '[U+0440]df', '--json'];
    expect((await world.run(confirmed)).json<GrantOutput>()).toMatchObject({ granted: true, skill: '[U+0440]df' });
    // The one that it looks like needs no such thing.
    expect((await world.run(['grant', 'pdf', '--yes', '--json'])).json<GrantOutput>().granted).toBe(true);
  });

  it('is not one that only resembles it', async () => {
    const world = createWorld();
    for (const name of ['pdf', 'pdf-2', 'résumé', 'resume', '表格', 'naïve', 'naive', 'Отчёт', '🛠️ tools'])
      world.skill(`home/.claude/skills/${name}`);
    const { skills, diagnostics } = await world.list();
    expect(diagnostics).toEqual([]);
    expect(skills.map(({ fullName }) => fullName)).toContain('🛠️ tools');
  });

  it('is also one of other letters of the same alphabet', async () => {
    const world = createWorld();
    for (const name of ['modem', 'tool-l', 'go']) world.skill(`home/.claude/skills/${name}`);
    for (const name of ['modern', 'tool-1', 'tool-I', 'g0']) world.skill(`project/.claude/skills/${name}`);
    const { skills } = await world.list();
    const alike = skills.filter(({ looksLike }) => looksLike !== null);
    expect(alike.map(({ fullName, looksLike }) => `${fullName} ${looksLike}`).sort()).toEqual([
      'g0 go',
      'modern modem',
      'tool-1 tool-l',
      'tool-I tool-l',
    ]);
  });
});

describe('names in other scripts', () => {
  it('keep their letters where they differ in case alone, and each is loaded by its own', async () => {
    const world = createWorld();
    world.skill('project/skills/one', { name: 'отчет', description: 'The lower one.' });
    world.skill('project/.claude/skills/two', { name: 'Отчет', description: 'The upper one.' });
    expect((await world.list()).skills.map(({ fullName }) => fullName).sort()).toEqual(['Отчет', 'отчет']);
    expect((await world.run(['show', 'отчет'])).stdout).toContain('Loading: отчет\n');
  });

  it('are the originals where a person installed them, and not what a project brings', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one', { name: 'тест' });
    world.skill('project/.claude/skills/two', { name: 'tect' });
    const { skills, diagnostics } = await world.list();
    expect(skills.map(({ fullName }) => fullName).sort()).toEqual(['tect', 'тест']);
    expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['looks-like', world.path('project/.claude/skills/two/SKILL.md')],
    ]);
  });
});

describe('a name that begins like an option or a filter', () => {
  it('is published without that, and completion never offers it', async () => {
    const world = createWorld();
    const names = ['--unsafe-no-sandbox', '-y', '@jobs', '--'];
    for (const [index, name] of names.entries())
      world.skill(`project/.claude/skills/s${index}`, { name: JSON.stringify(name) });
    const { skills, diagnostics } = await world.list();
    expect(skills.map(({ fullName }) => fullName).sort()).toEqual(['jobs', 's3', 'unsafe-no-sandbox', 'y']);
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(4).fill('name-unsafe'));
    expect(diagnostics[0]?.message).toMatch(/begins like an option or a filter; it is published as/);
    const offered = (await world.run(['__complete', 'run', ''])).stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(offered.filter((word) => /^[-@]/.test(word ?? ''))).toEqual([]);
    const smuggled = await world.run(['run', '--unsafe-no-sandbox:t']);
    expect([smuggled.code, smuggled.stderr]).toEqual([2, expect.stringContaining('unknown option')]);
  });
});
