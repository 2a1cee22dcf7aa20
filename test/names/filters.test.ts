import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { folderOf, foldersListed, installPlugins, namesListed, refusalOf } from './machine.ts';

/** Skills of two agents, in project and home, and of two plugins. */
function machine(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf');
  world.skill('home/.claude/skills/pdf-forms');
  world.skill('home/.codex/skills/csv');
  world.skill('project/.codex/skills/lint');
  installPlugins(world, { 'example@market': ['docx', 'pptx'], 'other@market': ['docx'] });
  return world;
}

const everything = ['csv', 'example:docx', 'example:pptx', 'lint', 'other:docx', 'pdf', 'pdf-forms'];
const without = (...gone: string[]): string[] => everything.filter((name) => !gone.includes(name));
const include = (world: World, ...tokens: string[]): Promise<string[]> =>
  namesListed(
    world,
    tokens.flatMap((token) => ['--include', token]),
  );
const exclude = (world: World, ...tokens: string[]): Promise<string[]> =>
  namesListed(
    world,
    tokens.flatMap((token) => ['--exclude', token]),
  );

describe('the options', () => {
  it('may be repeated [C1-FILTER-01 C1-FILTER-02]', async () => {
    const world = machine();
    expect(await include(world, 'pdf', 'csv', 'lint')).toEqual(['csv', 'lint', 'pdf']);
    expect(await exclude(world, 'pdf', 'csv', 'lint')).toEqual(without('csv', 'lint', 'pdf'));
  });

  it('may hold several tokens with commas between them [C1-FILTER-03]', async () => {
    const world = machine();
    expect(await include(world, 'pdf,csv', ' lint , ,')).toEqual(['csv', 'lint', 'pdf']);
    expect(await exclude(world, 'pdf, csv', 'lint')).toEqual(without('csv', 'lint', 'pdf'));
    expect(await namesListed(world, ['--include=codex,@example:docx', '--exclude=csv,lint'])).toEqual(['example:docx']);
  });

  it('are taken by every command that sees skills [C1-FILTER-04 S0-FILTER-04]', async () => {
    const world = machine();
    const codex = ['--include', 'codex'];
    const noClaude = ['--exclude', 'claude'];
    for (const filter of [codex, noClaude]) {
      expect(await namesListed(world, filter)).toEqual(['csv', 'lint']);
      expect((await refusalOf(world, 'pdf', filter)).code).toBe('not-found');
      expect(await folderOf(world, 'csv', filter)).toBe('home/.codex/skills/csv');

      const search = await world.run(['search', '--exact', 'what', '--json', ...filter]);
      expect(search.json<{ total: number }>().total).toBe(2);

      const why = await world.run(['why', 'pdf', '--json', ...filter]);
      expect(why.code).toBe(1);
      expect(why.json<{ outcome: string }>().outcome).toBe('hidden');

      const doctor = await world.run(['doctor', '--json', ...filter]);
      expect(doctor.json<{ summary: { skills: number } }>().summary.skills).toBe(2);
    }
  });

  it('are applied includes first, and excludes take away from that [C1-FILTER-22]', async () => {
    const world = machine();
    expect(await namesListed(world, ['--exclude', 'pdf', '--include', 'claude'])).toEqual(
      without('csv', 'lint', 'pdf'),
    );
    expect(await namesListed(world, ['--include', 'pdf', '--exclude', 'pdf'])).toEqual([]);
    expect(await namesListed(world, ['--include', 'all', '--exclude', '@plugins'])).toEqual([
      'csv',
      'lint',
      'pdf',
      'pdf-forms',
    ]);
  });

  it('come before the resolution of names: what hid a copy may be filtered away', async () => {
    const world = createWorld();
    world.skill('home/.agents/skills/pdf');
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    expect(await folderOf(world, 'pdf')).toBe('home/.agents/skills/pdf');
    expect(await folderOf(world, 'pdf', ['--include', 'codex'])).toBe('home/.codex/skills/pdf');
    expect((await refusalOf(world, 'pdf', ['--exclude', 'agents'])).candidates).toEqual(['claude:pdf', 'codex:pdf']);
    expect(await folderOf(world, 'pdf', ['--exclude', 'agents,claude'])).toBe('home/.codex/skills/pdf');
    const { skills } = await world.list(['--include', 'codex']);
    expect(skills.map((skill) => skill.shadowed)).toEqual([false]);
  });
});

describe('the tokens', () => {
  it('auto means what no include means [C1-FILTER-06]', async () => {
    const world = machine();
    world.skill('project/.claude/skills/pdf');
    expect(await world.list(['--include', 'auto'])).toEqual(await world.list());
    expect(await exclude(world, 'auto')).toEqual([]);
    const found = await world.run(['search', '--exact', 'pdf', '--json', '--include', 'auto']);
    expect(found.stdout).toBe((await world.run(['search', '--exact', 'pdf', '--json'])).stdout);
  });

  it('all matches every skill, hidden copies too [C1-FILTER-07]', async () => {
    const world = machine();
    world.skill('project/.claude/skills/pdf');
    expect(await include(world, 'all')).toEqual([...everything, 'pdf'].sort());
    expect(await exclude(world, 'all')).toEqual([]);
    const found = async (args: string[]): Promise<number> =>
      (await world.run(['search', '--exact', 'pdf', '--json', ...args])).json<{ total: number }>().total;
    expect(await found([])).toBe(2);
    expect(await found(['--include', 'all'])).toBe(3);
  });

  it('a provider matches all of its skills and no other [C1-FILTER-08 S0-FILTER-06]', async () => {
    const world = machine();
    expect(await include(world, 'codex')).toEqual(['csv', 'lint']);
    expect(await include(world, 'claude')).toEqual(without('csv', 'lint'));
    expect(await exclude(world, 'codex')).toEqual(without('csv', 'lint'));
    world.skill('mine/own');
    const scoped = ['--skill-dir', `${world.path('mine')}?scope=team`];
    expect(await namesListed(world, [...scoped, '--include', 'team'])).toEqual(['own']);
  });

  it('a provider leaves names of others not found, with near names among its own [S0-FILTER-08]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf-tools');
    const refusal = await refusalOf(world, 'pdf', ['--include=codex']);
    expect(refusal).toMatchObject({ code: 'not-found', suggestions: ['pdf-tools'] });
    expect(refusal.message).toContain('Available skills:\n- pdf-tools');
    expect(refusal.message).not.toMatch(/- pdf$/m);
  });

  it('provider and name, or glob, match within the provider [C1-FILTER-09 C1-FILTER-10]', async () => {
    const world = machine();
    world.skill('project/.codex/skills/pdf');
    expect(await foldersListed(world, ['--include', 'claude:pdf'])).toEqual(['home/.claude/skills/pdf']);
    expect(await foldersListed(world, ['--include', 'codex:pdf'])).toEqual(['project/.codex/skills/pdf']);
    expect(await foldersListed(world, ['--include', 'claude:PDF*'])).toEqual([
      'home/.claude/skills/pdf',
      'home/.claude/skills/pdf-forms',
    ]);
    expect(await foldersListed(world, ['--include', 'codex:*'])).toHaveLength(3);
    expect(await foldersListed(world, ['--include', 'codex', '--exclude', 'codex:?df'])).toHaveLength(2);
  });

  it('with @ match plugins and their skills [C1-FILTER-11 C1-FILTER-12 C1-FILTER-13]', async () => {
    const world = machine();
    world.skill('home/.claude/skills/plugins');
    world.skill('home/.claude/skills/docx');
    expect(await include(world, '@plugins')).toEqual(['example:docx', 'example:pptx', 'other:docx']);
    expect(await include(world, '@plugins:example')).toEqual(['example:docx', 'example:pptx']);
    expect(await include(world, '@plugins:example@market')).toEqual(['example:docx', 'example:pptx']);
    expect(await include(world, '@plugins:exampl?')).toEqual(['example:docx', 'example:pptx']);
    expect(await include(world, '@example:docx')).toEqual(['example:docx']);
    expect(await include(world, '@example:*')).toEqual(['example:docx', 'example:pptx']);
    expect(await include(world, '@*:docx')).toEqual(['example:docx', 'other:docx']);
    expect(await include(world, 'claude:@plugins')).toEqual(['example:docx', 'example:pptx', 'other:docx']);
    expect(await include(world, 'claude:@plugins:other')).toEqual(['other:docx']);
    expect(await include(world, 'claude:@plugins:example:pptx')).toEqual(['example:pptx']);
    expect(await include(world, 'claude@example:docx')).toEqual(['example:docx']);
    expect(await include(world, 'claude@plugins:other')).toEqual(['other:docx']);
    expect(await include(world, 'codex:@plugins')).toEqual([]);
    expect(await exclude(world, '@plugins:example')).not.toContain('example:docx');
    expect(await exclude(world, '@example:docx')).toContain('other:docx');
  });

  it('of places match by location [C1-FILTER-14 C1-FILTER-15 C1-FILTER-16]', async () => {
    const world = machine();
    expect(await include(world, 'project')).toEqual(['lint']);
    expect(await include(world, 'global')).toEqual(['csv', 'pdf', 'pdf-forms']);
    expect(await include(world, 'user')).toEqual(['csv', 'pdf', 'pdf-forms']);
    expect(await exclude(world, 'user')).toEqual(await exclude(world, 'global'));
    expect(await exclude(world, 'project', 'global')).toEqual(['example:docx', 'example:pptx', 'other:docx']);
  });

  it('file: matches at and below a path, however it is written [C1-FILTER-17]', async () => {
    const world = machine();
    const home = world.path('home');
    expect(await include(world, `file:${home}/.claude/skills`)).toEqual(['pdf', 'pdf-forms']);
    expect(await include(world, `file:${home}/.claude/skills/pdf`)).toEqual(['pdf']);
    expect(await include(world, `file:${home}/.claude/skills/pdf/`)).toEqual(['pdf']);
    expect(await include(world, `file:${home}/.claude/skills/pdf/SKILL.md`)).toEqual(['pdf']);
    expect(await include(world, 'file:~/.codex')).toEqual(['csv']);
    expect(await include(world, 'file:.codex/skills')).toEqual(['lint']);
    expect(await include(world, 'file:./.codex')).toEqual(['lint']);
    expect(await include(world, 'file:.')).toEqual(['lint']);
    expect(await include(world, 'file:../home/.codex')).toEqual(['csv']);
    expect(await exclude(world, `file:${home}`)).toEqual(['lint']);
    expect(await include(world, `file:${home}/.claude/skills/pd`)).toEqual([]);
  });

  it('file: matches through links, from either end [C1-FILTER-17]', async () => {
    const world = createWorld();
    world.skill('shared/skills/pdf');
    world.link('shared/skills/pdf', 'home/.claude/skills/pdf');
    world.link('shared', 'shortcut');
    expect(await include(world, `file:${world.path('home/.claude')}`)).toEqual(['pdf']);
    expect(await include(world, `file:${world.path('shared')}`)).toEqual(['pdf']);
    expect(await include(world, `file:${world.path('shortcut')}`)).toEqual(['pdf']);
  });

  it('a bare name matches the skills so called and nothing else [C1-FILTER-18]', async () => {
    const world = machine();
    expect(await include(world, 'pdf')).toEqual(['pdf']);
    expect(await include(world, 'PDF')).toEqual(['pdf']);
    expect(await exclude(world, 'pdf')).toEqual(without('pdf'));
    expect(await include(world, 'docx')).toEqual(['example:docx', 'other:docx']);
    expect(await include(world, 'example:docx')).toEqual(['example:docx']);
    expect(await exclude(world, 'other:docx')).toEqual(without('other:docx'));
  });

  it('a bare name may be any word, those that programs reserve included [C1-FILTER-18]', async () => {
    const world = createWorld();
    const words = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];
    for (const word of words) world.skill(`home/.claude/skills/${word}`);
    for (const word of words) expect(await include(world, word), word).toEqual([word]);
  });

  it('are looked at by --no-plugins before the filters are', async () => {
    const world = machine();
    expect(await namesListed(world, ['--no-plugins'])).toEqual(['csv', 'lint', 'pdf', 'pdf-forms']);
    expect(await namesListed(world, ['--no-plugins', '--include', '@plugins'])).toEqual([]);
  });
});
