import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../support/processor-time.ts';
import { createWorld, type World } from '../support/world.ts';
import { installPlugins, refusalOf } from './machine.ts';

function machineWith(names: readonly string[]): World {
  const world = createWorld();
  for (const name of names) world.skill(`home/.claude/skills/${name}`);
  return world;
}

const some = ['good', 'one', 'postgres', 'csv-profiler', 'pdf', 'incident-report', 'frontend-design'] as const;

describe('a name that nothing bears', () => {
  it('is an error with the available skills and a word about spelling [S1-LOAD-12 C1-MISS-05 S3-ERR-01 S3-ERR-02 S3-TEST-03]', async () => {
    const world = machineWith(['git', 'mcp-builder', 'postgres']);
    installPlugins(world, { 'example@market': ['pdf'] });
    const run = await world.run(['show', 'nonexistent']);
    expect(run.code).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain("Skill 'nonexistent' not found.");
    expect(run.stderr).toContain('Available skills:\n- git\n- mcp-builder\n- postgres\n- example:pdf\n');
    expect(run.stderr).toMatch(/[Cc]heck the spelling/);
    expect(await refusalOf(world, 'nonexistent')).toMatchObject({ code: 'not-found', exit: 1 });
  });

  it('is an error on a machine without skills too', async () => {
    const run = await createWorld().run(['show', 'pdf']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("Skill 'pdf' not found.");
    expect(run.stderr).toContain('No skills are available.');
  });

  it('lists so many available skills and counts the rest [C1-MISS-06 C1-MISS-07]', async () => {
    const world = machineWith(Array.from({ length: 63 }, (_, index) => `skill-${String(index).padStart(2, '0')}`));
    const { message } = await refusalOf(world, 'nonexistent');
    const listed = message.match(/^- /gm)?.length ?? 0;
    expect(listed).toBeGreaterThanOrEqual(5);
    expect(listed).toBeLessThanOrEqual(30);
    expect(message).toContain(`${63 - listed} more`);
  });

  it('counts no rest where all are listed [C1-MISS-06]', async () => {
    const { message } = await refusalOf(machineWith(some), 'nonexistent');
    expect(message.match(/^- /gm)).toHaveLength(some.length);
    expect(message).not.toMatch(/ more$/m);
  });

  it('lists each available skill by a name of its own', async () => {
    const world = machineWith(['pdf']);
    world.skill('home/.codex/skills/pdf');
    const { message } = await refusalOf(world, 'nonexistent');
    expect(message).toContain('\n- claude:pdf');
    expect(message).toContain('\n- codex:pdf');
  });

  it('does not list copies that others hide', async () => {
    const world = machineWith(['pdf']);
    world.skill('project/.claude/skills/pdf');
    const { message } = await refusalOf(world, 'nonexistent');
    expect(message.match(/^- /gm)).toHaveLength(1);
  });

  it('is shown without what it would do to a terminal', async () => {
    const run = await machineWith(some).run(['show', 'x\u001b[31mred\u0007\u202e']);
    expect(run.code).toBe(1);
    expect(run.stderr).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});

describe('the near names', () => {
  it('hold the right one for two letters in the wrong order [C1-MISS-02 S1-LOAD-13]', async () => {
    const world = machineWith(some);
    for (const [asked, meant] of [
      ['ogod', 'good'],
      ['noe', 'one'],
      ['oen', 'one'],
      ['psotgres', 'postgres'],
      ['csv-porfiler', 'csv-profiler'],
      ['pfd', 'pdf'],
      ['dpf', 'pdf'],
      ['POSTGRSE', 'postgres'],
    ] as const) {
      expect((await refusalOf(world, asked)).suggestions, asked).toContain(meant);
    }
  });

  it('hold the right one for a letter too many [C1-MISS-03]', async () => {
    const world = machineWith(some);
    for (const [asked, meant] of [
      ['goood', 'good'],
      ['onne', 'one'],
      ['ppdf', 'pdf'],
      ['pdff', 'pdf'],
      ['incidentt-report', 'incident-report'],
    ] as const) {
      expect((await refusalOf(world, asked)).suggestions[0], asked).toBe(meant);
    }
  });

  it('hold the right one for a letter too few [C1-MISS-04]', async () => {
    const world = machineWith(some);
    for (const [asked, meant] of [
      ['god', 'good'],
      ['on', 'one'],
      ['pf', 'pdf'],
      ['df', 'pdf'],
      ['postgrs', 'postgres'],
      ['ronend-design', 'frontend-design'],
    ] as const) {
      expect((await refusalOf(world, asked)).suggestions, asked).toContain(meant);
    }
  });

  it('hold the right one where a name has but two letters [C1-MISS-02 C1-MISS-04]', async () => {
    const world = machineWith(['go', 'js', 'pr']);
    expect((await refusalOf(world, 'og')).suggestions).toContain('go');
    expect((await refusalOf(world, 'sj')).suggestions).toContain('js');
    expect((await refusalOf(world, 'p')).suggestions).toContain('pr');
    expect((await refusalOf(world, 'goo')).suggestions).toContain('go');
  });

  it('hold the right one even where five others are as near in letters [C1-MISS-02]', async () => {
    const world = machineWith(['apf', 'bpf', 'cpf', 'dpa', 'dpb', 'dpc', 'pdf']);
    expect((await refusalOf(world, 'dpf')).suggestions).toContain('pdf');
  });

  it('are five at most, and none where nothing is near [C1-MISS-01 S1-LOAD-13]', async () => {
    const world = machineWith(Array.from({ length: 12 }, (_, index) => `report-${index}`));
    const { suggestions, message } = await refusalOf(world, 'report');
    expect(suggestions).toHaveLength(5);
    for (const name of suggestions) expect(message).toContain(name);
    expect((await refusalOf(world, 'zzzzzzzzzzzz')).suggestions).toEqual([]);
  });

  it("are found behind a plugin's or a provider's name, and by a part of the name [S1-LOAD-13]", async () => {
    const world = machineWith(some);
    installPlugins(world, { 'example@market': ['xlsx'] });
    expect((await refusalOf(world, 'xslx')).suggestions).toContain('example:xlsx');
    expect((await refusalOf(world, 'exmaple:xlsx')).suggestions).toContain('example:xlsx');
    expect((await refusalOf(world, 'claude:psotgres')).suggestions).toContain('postgres');
    expect((await refusalOf(world, 'profiler')).suggestions).toContain('csv-profiler');
  });

  it('are found without regard to letter case, accents written apart, or script', async () => {
    const world = machineWith(['résumé', '数据分析', 'Ёжик']);
    expect((await refusalOf(world, 'RÉSMUÉ'.normalize('NFD'))).suggestions).toContain('résumé');
    expect((await refusalOf(world, '数分据析')).suggestions).toContain('数据分析');
    expect((await refusalOf(world, 'ЁЖКИ')).suggestions).toContain('Ёжик');
  });

  it('cost little, however long the request', async () => {
    const world = machineWith(Array.from({ length: 300 }, (_, index) => `${'ab'.repeat(20)}-${index}`));
    const refused = async () => expect((await refusalOf(world, 'ab'.repeat(40_000))).code).toBe('not-found');
    expect(await processorSeconds(refused)).toBeLessThan(5);
  });
});
