import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, type ListedDiagnostic, type World } from '../support/world.ts';

const root = 'home/.agents/skills';
const secret = 'sentence-that-must-never-be-read';

/** What was noted, in order of code and file. */
const codesAt = (diagnostics: readonly ListedDiagnostic[]): string[][] =>
  diagnostics.map((one) => [one.code, one.file]).sort((a, b) => String(a).localeCompare(String(b)));

/** Nothing is said of what was found: no diagnostic, nothing on stderr, and the exit code is 0. */
async function expectQuiet(world: World, names: readonly string[]): Promise<void> {
  const { skills, diagnostics } = await world.list();
  expect(skills.map((one) => one.name)).toEqual(names);
  expect(diagnostics).toEqual([]);
  const run = await world.run(['list', '--verbose']);
  expect([run.code, run.stderr]).toEqual([0, '']);
}

describe('links to folders', () => {
  it('a linked skill is found; its identity is the real folder [C1-LINK-01 C1-SKILL-04]', async () => {
    const world = createWorld();
    const real = world.skill('dotfiles/pdf-v2', { name: 'pdf' });
    world.link('dotfiles/pdf-v2', `${root}/pdf`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map(({ id, dir, name }) => ({ id, dir, name }))).toEqual([
      { id: real, dir: world.path(`${root}/pdf`), name: 'pdf' },
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('a whole root, a category and a chain of links may be linked [C1-LINK-01]', async () => {
    const world = createWorld();
    world.skill('dotfiles/claude/one');
    world.link('dotfiles/claude', 'home/.claude/skills');
    world.skill('dotfiles/category/two');
    world.link('dotfiles/category', 'first-link');
    world.link('first-link', `${root}/category`);
    const { skills } = await world.list();
    expect(skills.map((one) => one.dir)).toEqual([
      world.path(`${root}/category/two`),
      world.path('home/.claude/skills/one'),
    ]);
  });

  it('two folders of one name are two skills, and a renamed skill keeps its identity [C1-SKILL-04]', async () => {
    const world = createWorld();
    const dirs = [world.skill(`${root}/a`, { name: 'same' }), world.skill(`${root}/b`, { name: 'same' })];
    expect((await world.list()).skills.map((one) => one.id)).toEqual(dirs);
    world.skill(`${root}/b`, { name: 'other' });
    const { skills } = await world.list();
    expect(skills.map((one) => [one.name, one.id])).toEqual([
      ['same', dirs[0]],
      ['other', dirs[1]],
    ]);
  });

  it("one folder linked into five agents' roots is one skill [C1-SKILL-05 C1-LINK-02]", async () => {
    const world = createWorld();
    const real = world.skill('project/.agents/skills/pdf');
    const roots = ['.claude', '.codex', '.cursor', '.gemini', '.windsurf'];
    for (const folder of roots) world.link(real, `project/${folder}/skills/pdf`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => [one.id, one.dir, one.provider])).toEqual([[real, real, 'agents']]);
    expect(diagnostics).toEqual([]);
    const why = await world.run(['why', 'pdf', '--json']);
    expect(why.json<{ alsoAt: string[] }>().alsoAt).toEqual(
      roots.map((folder) => world.path(`project/${folder}/skills/pdf`)),
    );
  });

  it('one folder linked into a root without limit of depth is one skill [C1-SKILL-05]', async () => {
    const world = createWorld();
    const real = world.skill(`${root}/pdf`);
    world.link(real, 'project/skills/pdf');
    expect((await world.list()).skills.map((one) => [one.id, one.dir])).toEqual([[real, real]]);
    expect((await world.run(['show', 'pdf', '--json'])).code).toBe(0);
  });

  it('one folder given by an option and known anyway is one skill [C1-SKILL-05]', async () => {
    const world = createWorld();
    const real = world.skill('project/skills/tools/pdf');
    const { skills } = await world.list(['--skill-dir', 'skills', '--skill-dir', 'skills/tools', '--skill-dir', '.']);
    expect(skills.map((one) => [one.id, one.provider])).toEqual([[real, 'file']]);
  });

  it('a folder met far down and then by a shorter link is visited once [C1-LINK-02 C1-SKILL-05]', async () => {
    const world = createWorld();
    const near = world.skill(`${root}/1/2/3/near`);
    const far = world.skill(`${root}/1/2/3/4/5/6/far`);
    world.link(`${root}/1/2/3`, `${root}/short`);
    world.link('/etc/passwd', `${root}/1/2/3/near/passwd`);
    const { skills, diagnostics } = await world.list();
    // The link makes what was too deep reachable, and what was found already is not found again.
    expect(skills.map((one) => one.id).sort()).toEqual([far, near].sort());
    expect(codesAt(diagnostics)).toEqual([['link-outside', `${near}/passwd`]]);
  });

  it('a folder with two links to it is visited once [C1-LINK-02]', async () => {
    const world = createWorld();
    const real = world.skill('dotfiles/office/pdf');
    world.link('dotfiles/office', `${root}/a`);
    world.link('dotfiles/office', `${root}/b`);
    expect((await world.list()).skills.map((one) => [one.id, one.dir])).toEqual([[real, world.path(`${root}/a/pdf`)]]);
  });

  it('links that lead to one another end the walk quietly [C1-LINK-03]', async () => {
    const world = createWorld();
    world.skill(`${root}/pdf`);
    world.link(`${root}/b`, `${root}/a`);
    world.link(`${root}/a`, `${root}/b`);
    world.link(`${root}/self`, `${root}/self`);
    await expectQuiet(world, ['pdf']);
  });

  it('a folder that holds a link to itself, its parent or its root ends the walk quietly [C1-LINK-03]', async () => {
    const world = createWorld();
    world.skill(`${root}/pdf`);
    world.skill(`${root}/office/csv`);
    world.link(`${root}/pdf`, `${root}/pdf/itself`);
    world.link(`${root}/office`, `${root}/office/csv/parent`);
    world.link(root, `${root}/office/csv/root`);
    world.skill('project/skills/deep/xml');
    world.link('project/skills', 'project/skills/deep/again');
    world.link('project', 'project/skills/deep/project');
    await expectQuiet(world, ['csv', 'pdf', 'xml']);
  });

  it('two folders that hold links to each other end the walk quietly [C1-LINK-03]', async () => {
    const world = createWorld();
    world.skill(`${root}/a/one`);
    world.skill(`${root}/b/two`);
    world.link(`${root}/b`, `${root}/a/to-b`);
    world.link(`${root}/a`, `${root}/b/to-a`);
    await expectQuiet(world, ['one', 'two']);
  });

  it('a link to nothing is reported, and all else is found [C1-LINK-05]', async () => {
    const world = createWorld();
    world.skill(`${root}/pdf`);
    world.link('gone', `${root}/lost`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => one.name)).toEqual(['pdf']);
    expect(codesAt(diagnostics)).toEqual([['link-dangling', world.path(`${root}/lost`)]]);
  });
});

describe('links to files', () => {
  it('a SKILL.md that links to a file in its own folder is read [C1-LINK-04]', async () => {
    const world = createWorld();
    world.skill(`${root}/pdf/docs`, { name: 'pdf', body: 'Linked text.\n' });
    renameSync(world.path(`${root}/pdf/docs/SKILL.md`), world.path(`${root}/pdf/docs/text.md`));
    world.link(`${root}/pdf/docs/text.md`, `${root}/pdf/SKILL.md`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => [one.name, one.id])).toEqual([['pdf', world.path(`${root}/pdf`)]]);
    expect(diagnostics).toEqual([]);
    expect((await world.run(['show', 'pdf'])).stdout).toContain('Linked text.');
  });

  const outside = {
    'to a file elsewhere': (world: World) => world.link('elsewhere/SKILL.md', `${root}/pdf/SKILL.md`),
    'to a folder whose name only begins the same': (world: World) =>
      world.link(`${root}/pdf-private/text.md`, `${root}/pdf/SKILL.md`),
    'by a link of its own': (world: World) => {
      world.link('elsewhere/SKILL.md', `${root}/pdf/inside.md`);
      world.link(`${root}/pdf/inside.md`, `${root}/pdf/SKILL.md`);
    },
    'by a linked folder': (world: World) => {
      world.link('elsewhere', `${root}/pdf/docs`);
      world.link(`${root}/pdf/docs/SKILL.md`, `${root}/pdf/SKILL.md`);
    },
  };
  for (const [how, lead] of Object.entries(outside)) {
    it(`a SKILL.md that leads out of its folder ${how} is not read, but reported [C1-LINK-04 C1-LINK-05]`, async () => {
      const world = createWorld();
      const foreign = `---\nname: stolen\ndescription: ${secret}\n---\n${secret}\n`;
      world.write('elsewhere/SKILL.md', foreign);
      world.write(`${root}/pdf-private/text.md`, foreign);
      lead(world);
      world.skill(`${root}/zip`);
      const run = await world.run(['list', '--json']);
      const { skills, diagnostics } = run.json<{
        skills: { name: string; id: string }[];
        diagnostics: ListedDiagnostic[];
      }>();
      const inPdf = skills.filter((one) => one.id === world.path(`${root}/pdf`));
      expect(inPdf).toEqual([]);
      expect(skills.map((one) => one.name)).toContain('zip');
      const refused = diagnostics.filter((one) => one.code === 'link-outside').map((one) => one.file);
      expect(refused).toContain(world.path(`${root}/pdf/SKILL.md`));
    });
  }

  it('what a refused link leads to is printed by no command [C1-LINK-04]', async () => {
    const world = createWorld();
    const foreign = world.write('elsewhere/notes.md', `---\nname: stolen\ndescription: ${secret}\n---\n${secret}\n`);
    world.link(foreign, `${root}/pdf/SKILL.md`);
    world.skill(`${root}/csv`);
    world.link(foreign, `${root}/csv/notes.md`);
    const commands = [
      ['list', '-v'],
      ['list', '--json'],
      ['show', 'pdf'],
      ['show', 'stolen'],
      ['show', 'csv', '--json'],
    ];
    for (const command of [...commands, ['search', 'sentence'], ['why', 'pdf'], ['doctor']]) {
      const { stdout, stderr } = await world.run(command);
      expect(stdout + stderr, command.join(' ')).not.toContain(secret);
    }
  });

  it('other files that lead out are reported and never served; the skill is kept [C1-LINK-04 C1-LINK-05]', async () => {
    const world = createWorld();
    world.skill(`${root}/pdf`);
    world.write(`${root}/pdf/own.txt`, 'mine');
    world.link(`${root}/pdf/own.txt`, `${root}/pdf/inside.txt`);
    world.link('/etc/passwd', `${root}/pdf/passwd`);
    world.write('elsewhere/key', secret);
    world.link('elsewhere/key', `${root}/pdf/references/key.txt`);
    world.link('gone', `${root}/pdf/lost.txt`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => one.name)).toEqual(['pdf']);
    expect(codesAt(diagnostics)).toEqual([
      ['link-dangling', world.path(`${root}/pdf/lost.txt`)],
      ['link-outside', world.path(`${root}/pdf/passwd`)],
      ['link-outside', world.path(`${root}/pdf/references/key.txt`)],
    ]);
    const shown = await world.run(['show', 'pdf', '--json']);
    const { files, refused } = shown.json<{ files: { path: string }[]; refused: string[] }>();
    expect(files.map((one) => one.path)).toEqual(['inside.txt', 'own.txt']);
    expect(refused).toEqual(['lost.txt', 'passwd', 'references/key.txt']);
  });

  it('a SKILL.md that links to nothing, or to itself, is reported [C1-LINK-05]', async () => {
    const world = createWorld();
    world.link('gone', `${root}/lost/SKILL.md`);
    world.link(`${root}/loop/SKILL.md`, `${root}/loop/SKILL.md`);
    const { skills, diagnostics } = await world.list();
    expect(skills).toEqual([]);
    expect(codesAt(diagnostics)).toEqual([
      ['link-dangling', world.path(`${root}/loop/SKILL.md`)],
      ['link-dangling', world.path(`${root}/lost/SKILL.md`)],
    ]);
  });
});
