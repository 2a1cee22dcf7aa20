import { createHash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld } from '../support/world.ts';
import { shell, unsafe } from './program.ts';

const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('list --json', () => {
  it('gives seventeen facts about each skill, and nothing else', async () => {
    const world = createWorld();
    world.link('elsewhere/csv', 'home/.claude/skills/csv');
    world.skill('elsewhere/csv', { description: 'Reads: things', extra: 'license: MIT\nmetadata:\n  n: 1' });
    installPlugins(world, { 'example@market': ['pdf'] });
    const output = await world.list();
    expect(Object.keys(output)).toEqual(['skills', 'diagnostics']);
    const [csv, pdf] = output.skills;
    expect(csv).toEqual({
      id: world.path('elsewhere/csv'),
      name: 'csv',
      fullName: 'csv',
      description: 'Reads: things',
      provider: 'claude',
      location: 'global',
      plugin: null,
      dir: world.path('home/.claude/skills/csv'),
      file: world.path('home/.claude/skills/csv/SKILL.md'),
      digest: sha256(readFileSync(world.path('elsewhere/csv/SKILL.md'))),
      shadowed: false,
      disabled: false,
      disabledFor: [],
      quarantined: false,
      looksLike: null,
      repaired: true,
      frontmatter: { name: 'csv', description: 'Reads: things', license: 'MIT', metadata: { n: 1 } },
    });
    expect(Object.keys(pdf ?? {})).toEqual(Object.keys(csv ?? {}));
    expect(pdf).toMatchObject({ fullName: 'example:pdf', name: 'pdf', plugin: 'example@market', location: 'plugin' });
  });

  it('gives seven facts about each problem', async () => {
    const world = createWorld();
    world.write('home/.claude/skills/broken/SKILL.md', '---\nname: broken\n---\n');
    const { skills, diagnostics } = await world.list();
    expect(skills).toEqual([]);
    expect(diagnostics).toHaveLength(1);
    expect(Object.keys(diagnostics[0] ?? {})).toEqual([
      'code',
      'severity',
      'file',
      'line',
      'column',
      'message',
      'remedy',
    ]);
  });

  it('is one line of JSON, and stderr is empty', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const run = await world.run(['list', '--json']);
    expect(run.stdout.match(/\n/g)).toHaveLength(1);
    expect(run.stdout.endsWith('}\n')).toBe(true);
    expect(run.stderr).toBe('');
  });

  it('gives the digest of the bytes as they are, whatever they are', async () => {
    const world = createWorld();
    const text = '---\r\nname: odd\r\ndescription: Not quite UTF-8.\r\n---\r\n';
    const bytes = Buffer.concat([Buffer.from('\ufeff'), Buffer.from(text), Buffer.from([0xff, 0xfe, 0x80])]);
    world.write('home/.claude/skills/odd/SKILL.md', bytes);
    expect((await world.list()).skills[0]?.digest).toBe(sha256(bytes));
  });

  it('sees an edit that keeps size and time of the file', async () => {
    const world = createWorld();
    const file = 'home/.claude/skills/pdf/SKILL.md';
    const [before, after] = ['---\nname: pdf\ndescription: One.\n---\n', '---\nname: pdf\ndescription: Two.\n---\n'];
    const time = new Date('2024-01-01');
    world.write(file, before);
    utimesSync(world.path(file), time, time);
    await world.list();
    expect((await world.list()).skills[0]?.description).toBe('One.');
    world.write(file, after);
    utimesSync(world.path(file), time, time);
    const skill = (await world.list()).skills[0];
    expect([skill?.description, skill?.digest]).toEqual(['Two.', sha256(Buffer.from(after))]);
  });

  it('orders skills by rank of root, then path, the same each time', async () => {
    const world = createWorld();
    for (const name of ['b', 'a', 'c']) world.skill(`home/.codex/skills/${name}`);
    for (const name of ['z', 'y']) world.skill(`home/.claude/skills/${name}`);
    world.skill('project/.agents/skills/x');
    const names = (await world.list()).skills.map((skill) => skill.fullName);
    expect(names).toEqual(['x', 'y', 'z', 'a', 'b', 'c']);
  });
});

describe('list', () => {
  it('groups by provider and location, with name and description', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf', { description: 'Reads PDF files.' });
    world.skill('project/.codex/skills/csv', { description: 'Reads CSV files.' });
    const { stdout, code } = await world.run(['list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^claude · global .*\n {2}pdf\n {6}Reads PDF files\.\n\ncodex · project .*\n {2}csv\n/);
    expect(stdout).toMatch(/\n2 skills, no problems\.\n$/);
  });

  it('marks what is shadowed, ambiguous and repaired', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('project/.claude/skills/pdf');
    world.skill('home/.claude/skills/csv', { description: 'Use when: asked' });
    world.skill('home/.codex/skills/xml');
    world.skill('home/.cursor/skills/xml');
    const { stdout } = await world.run(['list']);
    expect(stdout).toMatch(/^claude · project[\s\S]*^ {2}pdf \[hides 1 copy\]$[\s\S]*^claude · global/m);
    expect(stdout).toMatch(/^claude · global[\s\S]*^ {2}pdf \[shadowed\]$/m);
    expect(stdout).toMatch(/^ {2}csv \[repaired\]$/m);
    expect(stdout).toMatch(/^ {2}xml \[ambiguous: ask for codex:xml\]$/m);
    expect(stdout).toMatch(/^ {2}xml \[ambiguous: ask for cursor:xml\]$/m);
  });

  it('counts problems in the last line and names the command that explains them', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/good');
    world.skill('home/.claude/skills/mended', { description: 'Use when: asked' });
    world.write('home/.claude/skills/bad/SKILL.md', 'no front matter');
    world.write('home/.claude/skills/worse/SKILL.md', '---\nname: x\n---\n');
    const last = (await world.run(['list'])).stdout.trimEnd().split('\n').at(-1);
    expect(last).toMatch(/^2 skills, 3 problems \(2 skipped, 1 warning\).*repertoire doctor/);
    const one = createWorld();
    one.skill('home/.claude/skills/mended', { description: 'Use when: asked' });
    expect((await one.run(['list'])).stdout).toMatch(/^1 skill, 1 problem \(1 warning\).*repertoire doctor/m);
  });

  it('says on an empty machine what to do', async () => {
    const { stdout, code } = await createWorld().run(['list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No skills found\./);
    expect(stdout).toContain('SKILL.md');
    expect(stdout).toMatch(/0 skills, no problems\.\n$/);
  });

  it('prints every diagnostic to stderr with --verbose', async () => {
    const world = createWorld();
    world.write('project/.claude/skills/bad/SKILL.md', '---\nname: bad\n---\n');
    const run = await world.run(['list', '-v']);
    expect(run.stderr).toMatch(/^error: \.claude\/skills\/bad\/SKILL\.md:\d+: .*description/);
    expect((await world.run(['list'])).stderr).toBe('');
  });
});

describe('what list sends to a terminal', () => {
  it('has no colours in a pipe, unless they are asked for', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    expect((await world.run(['list'])).stdout).not.toContain('\u001b');
    expect((await world.run(['list'], { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[36mpdf\u001b[39m');
    expect((await world.run(['list'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
    expect((await world.run(['list', '--no-color'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain('\u001b');
  });

  it('has nothing of what names and descriptions would do to it', async () => {
    const world = createWorld();
    const evil = '\\e[2J\\e]0;title\\a\\x9b31m\\u202Ereversed\\u200Bhidden\\r\\nsecond line\\0';
    world.skill('home/.claude/skills/a', { name: `"evil${evil}"`, description: `"text${evil}"` });
    world.skill('home/.codex/skills/a', { name: `"evil${evil}"`, description: `"text${evil}"` });
    for (const args of [['list', '--full'], ['search', 'evil'], ['doctor'], ['why', 'evil'], ['list', '-v']]) {
      const run = await world.run(args);
      expect(run.stdout, args.join(' ')).not.toMatch(unsafe);
      expect(run.stderr, args.join(' ')).not.toMatch(unsafe);
    }
    const { stdout } = await world.run(['list']);
    expect(stdout).toMatch(/^ {2}evil/m);
    expect(stdout).not.toMatch(/^second line/m);
  });

  it('has nothing of what folder names would do to it', async () => {
    const world = createWorld();
    const folder = 'home/.claude/skills/x\u001b[31m\u009b2J\u202e';
    world.write(`${folder}/SKILL.md`, '---\nname: broken\n---\n');
    world.skill(`${folder}y`, { name: 'twin' });
    world.skill('home/.claude/skills/a', { name: 'twin' });
    for (const args of [['list'], ['list', '-v'], ['doctor', '--all'], ['why', 'twin'], ['search', 'twin']]) {
      const run = await world.run(args);
      expect(run.stdout, args.join(' ')).not.toMatch(unsafe);
      expect(run.stderr, args.join(' ')).not.toMatch(unsafe);
    }
  });

  it('ends quietly when the reader has gone', async () => {
    const world = createWorld();
    for (let index = 0; index < 40; index++) {
      world.skill(`home/.claude/skills/s${index}`, { description: 'word '.repeat(1_500) });
    }
    for (const args of ['list --full', 'list --json', 'doctor --json --all']) {
      const run = await shell(world, `$REPERTOIRE ${args} | head -c 5; echo "/\${PIPESTATUS[0]}"`);
      expect(run.stdout, args).toMatch(/^[\s\S]{5}\/0\n$/);
      expect(run.stderr, args).toBe('');
    }
  });

  it('ends quietly when the reader has gone before an error is told', async () => {
    const world = createWorld();
    for (const command of ['show nope --json', 'show nope --json 2>&1', 'show nope 2>&1', 'list', 'list 2>&1']) {
      const run = await shell(world, `{ sleep 0.3; $REPERTOIRE ${command}; echo "code $?" >&3; } 3>&2 | true`);
      expect(run.stderr, command).toMatch(/^code [01]\n$/);
    }
  });
});
