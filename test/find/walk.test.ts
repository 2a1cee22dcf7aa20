import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorld, type RunOptions, type World } from '../support/world.ts';

const root = 'home/.agents/skills';

const names = async (world: World, args: readonly string[] = [], options: RunOptions = {}): Promise<string[]> =>
  (await world.list(args, options)).skills.map((one) => one.name);

const text = (name: string): string => `---\nname: ${name}\ndescription: What ${name} does.\n---\n`;

describe('what a skill is', () => {
  it('a folder with a SKILL.md, and no other [C1-SKILL-01]', async () => {
    const world = createWorld();
    world.skill(`${root}/real`);
    world.write(`${root}/readme-only/README.md`, text('readme'));
    world.write(`${root}/mdx/SKILL.mdx`, text('mdx'));
    world.write(`${root}/plural/SKILLS.md`, text('plural'));
    world.write(`${root}/backup/SKILL.md.bak`, text('backup'));
    world.write(`${root}/prefixed/MY-SKILL.md`, text('prefixed'));
    world.write(`${root}/loose.md`, text('loose'));
    world.folder(`${root}/empty`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => one.name)).toEqual(['real']);
    expect(diagnostics).toEqual([]);
  });

  it('a file counts, a folder of that name does not [C1-SKILL-01]', async () => {
    const world = createWorld();
    world.folder(`${root}/odd/SKILL.md`);
    world.write(`${root}/odd/SKILL.md/notes.txt`, 'not a skill');
    world.skill(`${root}/real`);
    expect(await names(world)).toEqual(['real']);
  });

  it('a folder called SKILL.md does not hide the file skill.md beside it [C1-SKILL-01 C1-SKILL-02]', async () => {
    const world = createWorld();
    world.folder(`${root}/odd/SKILL.md`);
    world.write(`${root}/odd/skill.md`, text('odd'));
    expect(await names(world)).toEqual(['odd']);
  });

  it('its name is read in any letter case [C1-SKILL-02]', async () => {
    const world = createWorld();
    const spellings = ['skill.md', 'Skill.md', 'SKILL.MD', 'sKiLl.Md'];
    for (const [index, spelling] of spellings.entries())
      world.write(`${root}/s${index}/${spelling}`, text(`s${index}`));
    const { skills } = await world.list();
    expect(skills.map((one) => one.file)).toEqual(
      spellings.map((one, index) => world.path(`${root}/s${index}/${one}`)),
    );
    const shown = await world.run(['show', 's0', '--raw']);
    expect(shown.stdout).toBe(text('s0'));
  });

  it('of several spellings the one written SKILL.md is read [C1-SKILL-03]', async () => {
    const world = createWorld();
    for (const spelling of ['SKILL.MD', 'SKILL.md', 'Skill.md', 'skill.md']) {
      world.write(`${root}/many/${spelling}`, text(`from-${spelling}`));
    }
    const { skills } = await world.list();
    expect(skills.map((one) => [one.name, one.file])).toEqual([['from-SKILL.md', world.path(`${root}/many/SKILL.md`)]]);
  });
});

describe('how a root is walked', () => {
  it('each folder in a root that holds a SKILL.md is a skill [C1-WALK-01 S3-DISC-05]', async () => {
    const world = createWorld();
    const dirs = ['alpha', 'beta', 'gamma'].map((name) => world.skill(`${root}/${name}`));
    const { skills } = await world.list();
    expect(skills.map((one) => [one.dir, one.file])).toEqual(dirs.map((dir) => [dir, join(dir, 'SKILL.md')]));
  });

  it('a category folder is entered [C1-WALK-02]', async () => {
    const world = createWorld();
    world.skill(`${root}/office/pdf`);
    world.skill(`${root}/office/sheets/csv`);
    world.skill(`${root}/.hidden/quiet`);
    world.write(`${root}/office/README.md`, 'All about documents.');
    expect(await names(world)).toEqual(['quiet', 'pdf', 'csv']);
  });

  it('categories are entered to depth 6 and no further [C1-WALK-03]', async () => {
    for (const folder of [root, 'project/.claude/skills', 'project/.cursor/skills']) {
      const world = createWorld();
      world.skill(`${folder}/1/2/3/4/5/at-six`);
      world.skill(`${folder}/1/2/3/4/5/6/at-seven`);
      expect(await names(world), folder).toEqual(['at-six']);
    }
  });

  it('.git is never entered, at any level [C1-WALK-04]', async () => {
    const world = createWorld();
    world.skill(`${root}/.git/hidden`);
    world.skill(`${root}/pdf/.git/modules/hidden-too`);
    world.skill(`${root}/pdf`);
    world.skill('project/skills/.git/deep/hidden-as-well');
    expect(await names(world)).toEqual(['pdf']);
  });

  it('node_modules is never entered, at any level, nor is a link of that name [C1-WALK-05]', async () => {
    const world = createWorld();
    world.skill(`${root}/node_modules/hidden`);
    world.skill(`${root}/pdf/scripts/node_modules/pkg/skills/hidden-too`);
    world.skill(`${root}/pdf`);
    world.skill('elsewhere/pkg');
    world.link('elsewhere', `${root}/tools/node_modules`);
    world.skill('project/skills/node_modules/@scope/hidden-as-well');
    expect(await names(world)).toEqual(['pdf']);
  });

  it('nor are the like of them [C1-WALK-06]', async () => {
    const world = createWorld();
    for (const folder of ['.hg', '.svn', '.jj', 'bower_components', '__pycache__', '.venv', 'venv', '.tox']) {
      world.skill(`${root}/${folder}/hidden`);
      world.skill(`project/skills/pdf/${folder}/hidden`);
    }
    world.skill(`${root}/dist`);
    expect(await names(world)).toEqual(['dist']);
  });

  it('a skill within a skill is one of its own, and so is the one around it [C1-WALK-07 C1-WALK-08]', async () => {
    const world = createWorld();
    const outer = world.skill(`${root}/outer`);
    const inner = world.skill(`${root}/outer/inner`);
    const innermost = world.skill(`${root}/outer/parts/more/innermost`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => [one.name, one.id])).toEqual([
      ['outer', outer],
      ['inner', inner],
      ['innermost', innermost],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('below ./skills there is no such limit [C1-ROOT-23]', async () => {
    const world = createWorld();
    world.skill('project/skills/1/2/3/4/5/6/7/8/9/10/11/deep');
    expect(await names(world)).toEqual(['deep']);
  });

  it('a tree of nested skills gives the right summary of each [S2-DATA-01 S2-DATA-02 S2-TEST-01]', async () => {
    const world = createWorld();
    const tree = ['skills/a', 'skills/a/b', 'skills/x/y/z/c', 'skills/x/y/z/c/d/e/f/g/h'];
    const expected = tree.map((folder, index) => {
      const name = `skill-${index}`;
      const dir = world.skill(`project/${folder}`, {
        name,
        description: `Number ${index}.`,
        extra: `license: L${index}`,
      });
      const frontmatter = { name, description: `Number ${index}.`, license: `L${index}` };
      return { name, description: `Number ${index}.`, dir, file: join(dir, 'SKILL.md'), frontmatter };
    });
    const { skills } = await world.list();
    expect(skills).toEqual(expected.map((one) => expect.objectContaining(one) as unknown));
  });
});

/** Everything below a folder that a program could have changed. */
function stateOf(folder: string): Map<string, unknown> {
  const state = new Map<string, unknown>();
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const full = join(folder, path);
    const stats = lstatSync(full);
    const content = stats.isFile() ? readFileSync(full, 'hex') : stats.isSymbolicLink() ? readlinkSync(full) : null;
    const { mode, size, mtimeMs, ctimeMs, ino, uid, nlink } = stats;
    state.set(path, { mode, size, mtimeMs, ctimeMs, ino, uid, nlink, content });
  }
  return state;
}

describe('what a search for skills leaves alone', () => {
  it('folders that are no skill directories are not searched [S3-SEC-03]', async () => {
    const world = createWorld();
    const outside = [
      'home/pdf',
      'home/Documents/skills/pdf',
      'home/.claude/pdf',
      'home/.claude/commands/pdf',
      'home/.claude/plugins/cache/shop/kit/1.0.0/skills/pdf',
      'home/.unknown/skills/pdf',
      'project/pdf',
      'project/docs/pdf',
      'project/src/.claude/skills/pdf',
      'project/.agents/pdf',
      'project/.unknown/skills/pdf',
      'pdf',
    ];
    for (const folder of outside) world.skill(folder);
    const { skills, diagnostics } = await world.list();
    expect(skills).toEqual([]);
    expect(diagnostics).toEqual([]);
  });

  it('listing, showing, searching and explaining change nothing at all [S3-SEC-05]', async () => {
    const world = createWorld();
    world.skill(`${root}/pdf`, { body: 'Reads forms.\n' });
    world.write(`${root}/pdf/scripts/run.sh`, '#!/bin/sh\ntouch "$0.ran"\n');
    world.mode(`${root}/pdf/scripts/run.sh`, 0o755);
    world.write(`${root}/broken/SKILL.md`, '---\nname: [\n---\n');
    world.write(`${root}/colon/SKILL.md`, '---\nname: colon\ndescription: Use when: always\n---\n');
    world.link(`${root}/pdf`, 'project/.claude/skills/pdf');
    world.link('/etc/hostname', `${root}/pdf/outside.txt`);
    world.skill('project/skills/deep/er/csv');
    world.skill('plugin/skills/kit-skill');
    const installPath = world.path('plugin');
    world.writeJson('home/.claude/plugins/installed_plugins.json', { plugins: { 'kit@shop': { installPath } } });
    const folders = ['home', 'project', 'plugin'].map((folder) => world.path(folder));
    const before = folders.map(stateOf);
    const commands = [
      ['list'],
      ['list', '--json', '-v'],
      ['show', 'pdf'],
      ['show', 'pdf', '--files'],
      ['show', 'csv', '--raw'],
      ['search', 'forms'],
      ['why', 'broken'],
      ['doctor', '--all'],
      ['config'],
    ];
    // What we keep for ourselves lies elsewhere.
    const env = { XDG_STATE_HOME: world.path('state') };
    for (const command of commands) {
      const run = await world.run(command, { env });
      expect(run.stdout, command.join(' ')).not.toBe('');
      expect(run.code, command.join(' ')).toBeLessThan(2);
    }
    expect(folders.map(stateOf)).toEqual(before);
    expect(readdirSync(world.root).sort()).toEqual(['cache', 'home', 'plugin', 'project', 'state']);
  });
});
