import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { invoke } from '../../src/engine/operation.ts';
import { type ValidateOutput, validate } from '../../src/engine/operations/skills/validate.ts';
import { createWorld, type World } from '../support/world.ts';

function run(world: World, paths: readonly string[], fix = false): Promise<ValidateOutput> {
  const env = { XDG_CACHE_HOME: world.path('cache') };
  const environment = hostEnvironment({ cwd: world.project, home: world.home, env, systemDir: world.path('etc') });
  return invoke(createEngine(configurationOf({}), environment), validate, { paths, fix }, { origin: 'cli' });
}

/** Findings as `path code`, from the world's folder. */
function told({ findings }: ValidateOutput, world: World): string[] {
  return findings.map((one) => `${one.file.slice(world.root.length + 1)} ${one.code}`);
}

const broken = { description: 'Use when: asked' };

describe('what is checked', () => {
  it('without a path, every skill that is seen, and every file that had to be skipped [C1-READ-19]', async () => {
    const world = createWorld();
    world.skill('project/.agents/skills/good');
    world.skill('project/.claude/skills/bad', { name: 'Bad' });
    world.write('home/.claude/skills/none/SKILL.md', 'no front matter');
    const output = await run(world, []);
    expect(output.files).toBe(3);
    expect(output.summary).toEqual({ errors: 3, warnings: 0 });
    expect(told(output, world).sort()).toEqual([
      'home/.claude/skills/none/SKILL.md frontmatter-missing',
      'project/.claude/skills/bad/SKILL.md rule-name',
      'project/.claude/skills/bad/SKILL.md rule-name-folder',
    ]);
  });

  it('a file, a skill, or all below a folder, each once', async () => {
    const world = createWorld();
    world.skill('project/a/one', { name: 'x' });
    world.skill('project/a/b/two', { name: 'x' });
    world.link('project/a/one', 'project/a/alias');
    const paths = ['a', 'a/one', 'a/one/SKILL.md', world.path('project/a/b'), 'a/alias/SKILL.md'];
    const output = await run(world, paths);
    expect(output.files).toBe(2);
    expect(told(output, world)).toHaveLength(2);
    expect((await run(world, ['a/b/two/SKILL.md'])).files).toBe(1);
  });

  it('the file that was named, even where loading takes another', async () => {
    const world = createWorld();
    world.skill('project/a/one');
    world.write('project/a/one/skill.md', readFileSync(world.path('project/a/one/SKILL.md')));
    expect(told(await run(world, ['a/one/skill.md']), world)).toEqual(['project/a/one/skill.md rule-file-name']);
    expect(told(await run(world, ['a/one']), world)).toEqual([]);
  });

  it('nothing, when a path is not there or no skill', async () => {
    const world = createWorld();
    const skill = world.skill('project/a', broken);
    world.write('project/notes.md', '');
    await expect(run(world, ['a', 'nope'], true)).rejects.toThrow("there is no file or folder 'nope'");
    await expect(run(world, ['notes.md'])).rejects.toThrow("'notes.md' is neither a SKILL.md nor a folder");
    expect(readFileSync(join(skill, 'SKILL.md'), 'utf8')).toContain('description: Use when: asked\n');
  });

  it('a folder without any skill, which is an error', async () => {
    const world = createWorld();
    world.folder('project/empty');
    world.skill('project/full');
    const output = await run(world, ['empty', 'full']);
    expect(told(output, world)).toEqual(['project/empty skill-missing']);
    expect(output.summary.errors).toBe(1);
  });
});

describe('what cannot be read', () => {
  it('is told, and stops nothing else', async () => {
    const world = createWorld();
    world.folder('project/s/dir/SKILL.md');
    world.folder('project/s/fifo');
    execFileSync('mkfifo', [world.path('project/s/fifo/SKILL.md')]);
    world.link('/etc/hostname', 'project/s/out/SKILL.md');
    world.link('project/nowhere', 'project/s/dangling/SKILL.md');
    world.write('project/s/large/SKILL.md', Buffer.alloc(11 * 1024 * 1024, 'x'));
    world.skill('project/s/sound');
    const output = await run(world, ['s']);
    expect(told(output, world).sort()).toEqual([
      'project/s/dangling/SKILL.md link-dangling',
      'project/s/dangling/SKILL.md skill-missing',
      'project/s/dir/SKILL.md file-not-regular',
      'project/s/fifo/SKILL.md file-not-regular',
      'project/s/large/SKILL.md file-too-large',
      'project/s/out/SKILL.md link-outside',
      'project/s/out/SKILL.md skill-missing',
    ]);
    expect(output.files).toBe(4);
  });

  it('is told as well when it is named', async () => {
    const world = createWorld();
    world.link('/etc/hostname', 'project/out/SKILL.md');
    expect(told(await run(world, ['out/SKILL.md']), world)).toEqual([
      'project/out/SKILL.md link-outside',
      'project/out/SKILL.md skill-missing',
    ]);
  });
});

describe('links of the body', () => {
  it('are followed on disk, within the skill', async () => {
    const world = createWorld();
    const body =
      '[a](references/a.md) [b](b.md) [c](../other/SKILL.md) [d](link.md) [e](references/) [f](/etc/hostname)';
    world.skill('project/s', { body });
    world.write('project/s/references/a.md', '');
    world.link('/etc/hostname', 'project/s/link.md');
    const messages = (await run(world, ['s'])).findings.filter((one) => one.code === 'rule-reference');
    expect(messages.map((one) => one.message)).toEqual([
      'the body links to b.md, which does not exist',
      'the body links to ../other/SKILL.md, which is outside the skill',
      'the body links to link.md, which is outside the skill',
      'the body links to /etc/hostname, which is outside the skill',
    ]);
  });
});

describe('fixing', () => {
  it('mends the file, and then finds nothing', async () => {
    const world = createWorld();
    const file = join(world.skill('project/s', { ...broken, extra: 'allowed-tools: Read, Write' }), 'SKILL.md');
    world.mode('project/s/SKILL.md', 0o600);
    const output = await run(world, ['s'], true);
    expect(output.fixed).toEqual([
      { file, changes: ['line 3: quoted the value of description', 'line 4: separated allowed-tools by spaces'] },
    ]);
    expect(output.findings).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(
      '---\nname: s\ndescription: "Use when: asked"\nallowed-tools: Read Write\n---\n\n# Text\n',
    );
    expect(statSync(file).mode & 0o7777).toBe(0o600);
    const { ino, mtimeMs } = lstatSync(file);
    expect((await run(world, ['s'], true)).fixed).toEqual([]);
    expect(lstatSync(file)).toMatchObject({ ino, mtimeMs });
  });

  it('never writes through a link, nor to what is no UTF-8', async () => {
    const world = createWorld();
    world.skill('project/real', broken);
    world.link('project/s/real.md', 'project/s/SKILL.md');
    const text = readFileSync(world.path('project/real/SKILL.md'), 'utf8');
    world.write('project/s/real.md', text);
    world.write('project/t/SKILL.md', Buffer.concat([Buffer.from(text), Buffer.from([0xff])]));
    const output = await run(world, ['s', 't'], true);
    expect(output.fixed).toEqual([]);
    expect(told(output, world)).toContain('project/s/SKILL.md file-unwritable');
    expect(readFileSync(world.path('project/s/real.md'), 'utf8')).toBe(text);
    expect(readFileSync(world.path('project/t/SKILL.md')).at(-1)).toBe(0xff);
  });

  it('follows a linked folder to the file that is really there', async () => {
    const world = createWorld();
    world.skill('home/shared/s', broken);
    world.link('home/shared/s', 'project/skills/s');
    expect((await run(world, ['skills'], true)).fixed).toHaveLength(1);
    expect(readFileSync(world.path('home/shared/s/SKILL.md'), 'utf8')).toContain('"Use when: asked"');
    expect(lstatSync(world.path('project/skills/s')).isSymbolicLink()).toBe(true);
  });
});
