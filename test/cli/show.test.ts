import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld, type ListedSkill } from '../support/world.ts';
import { bytesOf, onTerminal, unsafe } from './program.ts';

const folder = 'home/.claude/skills/pdf';
const text = [
  '---',
  'name: pdf',
  'description: Reads PDF files.',
  '---',
  '',
  '# Größe, 数据, 🚀 & <tags> "quoted"',
  '',
  '- one',
  '    - four blanks',
  '\t- a tab',
  '',
  '```python',
  'def f():',
  '    return "\\n"  ',
  '```',
  '',
  '',
  'End without a line break',
].join('\n');

describe('show', () => {
  it('keeps line breaks, code, indentation and letters of the text [S1-FORMAT-03 S1-FORMAT-04 S1-FORMAT-05 S1-FORMAT-06]', async () => {
    const world = createWorld();
    world.write(`${folder}/SKILL.md`, text);
    const run = await world.run(['show', 'pdf']);
    expect(run.stdout.endsWith(`\n\n${text}\n`)).toBe(true);
    const { content } = (await world.run(['show', 'pdf', '--json'])).json<{ content: string }>();
    expect(content).toBe(text);
  });

  it('puts a header before the text', async () => {
    const world = createWorld();
    world.skill(folder);
    for (let index = 0; index < 12; index++) world.write(`${folder}/references/${10 + index}.md`, 'x');
    world.write(`${folder}/scripts/run.py`, 'x');
    const [header] = (await world.run(['show', 'PDF'])).stdout.split('\n\n---');
    const files = Array.from({ length: 10 }, (_, index) => `references/${10 + index}.md`).join(', ');
    expect(header).toBe(
      [
        'Loading: pdf',
        `Base directory: ${world.path(folder)}`,
        `Path: ${world.path(folder)}/SKILL.md`,
        'Location: global',
        'Provider: claude',
        `Files: ${files} (+3 more)`,
      ].join('\n'),
    );
  });

  it('names the plugin in the header of its skill, and only there', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'] });
    world.skill('project/.codex/skills/csv');
    expect((await world.run(['show', 'pdf'])).stdout).toMatch(
      /^Loading: example:pdf\n[\s\S]*\nLocation: plugin\nProvider: claude\nPlugin: example@market\n\n---/,
    );
    expect((await world.run(['show', 'csv'])).stdout).toMatch(/\nLocation: project\nProvider: codex\n\n---/);
  });

  it('gives as JSON the record of the list, header, text and files', async () => {
    const world = createWorld();
    world.skill(folder);
    world.write(`${folder}/b.txt`, '12345');
    world.write(`${folder}/a/x.txt`, '');
    world.link('/etc/hostname', `${folder}/out`);
    interface Shown {
      skill: ListedSkill;
      header: string;
      files: unknown;
      refused: unknown;
    }
    const shown = (await world.run(['show', 'pdf', '--json'])).json<Shown>();
    expect(Object.keys(shown)).toEqual(['skill', 'header', 'content', 'files', 'refused']);
    expect(shown.skill).toEqual((await world.list()).skills[0]);
    expect(shown.header).toMatch(/^Loading: pdf\n/);
    expect(shown.files).toEqual([
      { path: 'a/x.txt', bytes: 0 },
      { path: 'b.txt', bytes: 5 },
    ]);
    expect(shown.refused).toEqual(['out']);
  });

  it('serves what stands in the file now, and misses what has gone', async () => {
    const world = createWorld();
    world.skill(folder, { body: '\nFirst.\n' });
    await world.list();
    world.skill(folder, { body: '\nOther.\n' });
    expect((await world.run(['show', 'pdf'])).stdout).toContain('Other.');
    rmSync(world.path(folder), { recursive: true });
    expect((await world.run(['show', 'pdf'])).code).toBe(1);
  });
});

describe('show --raw', () => {
  it('gives the bytes of the file and nothing else', async () => {
    const world = createWorld();
    const front = '---\r\nname: pdf\r\ndescription: Reads.\r\n---\r\n';
    const contents = [
      Buffer.from(text),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(`${front}BOM and CRLF\r\n`)]),
      Buffer.concat([Buffer.from(front), Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]), Buffer.from('tail')]),
      Buffer.concat([Buffer.from(front), Buffer.from('\u001b[31mred\u0007 and a mix\rof\nline\r\nends')]),
      Buffer.concat([Buffer.from(front), Buffer.alloc(3_000_000, 'long ')]),
    ];
    for (const bytes of contents) {
      world.write(`${folder}/SKILL.md`, bytes);
      const raw = await bytesOf(world, ['show', 'pdf', '--raw']);
      expect(raw.equals(bytes), bytes.subarray(0, 80).toString()).toBe(true);
    }
  });
});

describe('show --files', () => {
  it('lists what the skill brings, with sizes', async () => {
    const world = createWorld();
    world.skill(folder);
    world.write(`${folder}/scripts/run.py`, 'x'.repeat(1234));
    world.write(`${folder}/assets/日本 語.txt`, '');
    world.write(`${folder}/node_modules/left-pad/index.js`, 'x');
    world.write(`${folder}/.git/config`, 'x');
    const { stdout } = await world.run(['show', 'pdf', '--files']);
    expect(stdout.split('\n').map((line) => line.trim())).toEqual([
      world.path(folder),
      '0  assets/日本 語.txt',
      '1234  scripts/run.py',
      '',
    ]);
  });

  it('marks links that lead out of the skill or to nothing, and reads them never', async () => {
    const world = createWorld();
    world.skill(folder);
    world.write('home/secret.txt', 'hunter2');
    world.write(`${folder}/inside.txt`, 'ok');
    world.link('home/secret.txt', `${folder}/secret.txt`);
    world.link('home', `${folder}/whole-home`);
    world.link('home/nowhere', `${folder}/dangling`);
    world.link(`${folder}/inside.txt`, `${folder}/alias.txt`);
    const { stdout } = await world.run(['show', 'pdf', '--files']);
    for (const name of ['secret.txt', 'whole-home', 'dangling']) {
      expect(stdout).toMatch(new RegExp(`never read +${name} `));
    }
    expect(stdout).toMatch(/^ +2 {2}alias\.txt$/m);
    expect(stdout).toMatch(/^ +2 {2}inside\.txt$/m);
    expect(stdout).not.toMatch(/hunter2|\.claude\.json/);
    expect((await world.run(['show', 'pdf'])).stdout).toMatch(/^Files: alias\.txt, inside\.txt$/m);
  });

  it('does not call a link to a folder of the same skill one that leads out', async () => {
    const world = createWorld();
    world.skill(folder);
    world.write(`${folder}/scripts/run.py`, 'x');
    world.link(`${folder}/scripts`, `${folder}/bin`);
    const { stdout } = await world.run(['show', 'pdf', '--files']);
    expect(stdout).toContain('scripts/run.py');
    expect(stdout).not.toMatch(/out of the skill/);
    expect((await world.run(['show', 'pdf', '--json'])).json<{ refused: string[] }>().refused).toEqual([]);
  });
});

describe('show on a terminal', () => {
  it('lets nothing through that a terminal would obey', async () => {
    const world = createWorld();
    world.skill(folder, { body: '\n\u001b]0;title\u0007\u001b[2J\u009b31mred \u202eover\r\nnext\n' });
    const printed = await onTerminal(world, ['show', 'pdf', '--no-color']);
    expect(printed).toContain('next');
    expect(printed.replaceAll('\r\n', '\n')).not.toMatch(unsafe);
  });

  it('lets nothing through that stands in the names of folders and files', async () => {
    const world = createWorld();
    const odd = 'home/.claude/skills/x\u001b[31m\u0007y';
    world.skill(odd, { name: 'odd' });
    world.write(`${odd}/f\u001b[2J\u009b.txt`, 'x');
    for (const args of [
      ['show', 'odd'],
      ['show', 'odd', '--files'],
      ['why', 'odd'],
      ['search', 'odd'],
    ]) {
      const printed = await onTerminal(world, [...args, '--no-color']);
      expect(printed, args.join(' ')).toMatch(/x.*y/);
      expect(printed.replaceAll('\r\n', '\n'), args.join(' ')).not.toMatch(unsafe);
    }
  });

  it('keeps a header of one line each, whatever the folder is called', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/x\nProvider: forged', { name: 'odd' });
    const [header = ''] = (await world.run(['show', 'odd'])).stdout.split('\n\n');
    expect(header.match(/^Provider: /gm)).toEqual(['Provider: ']);
  });
});

describe('a skill whose file becomes a link to elsewhere', () => {
  it('is not read', async () => {
    const world = createWorld();
    world.skill(folder);
    await world.list();
    world.write('home/secret', '---\nname: pdf\ndescription: d\n---\nhunter2\n');
    rmSync(world.path(`${folder}/SKILL.md`));
    world.link('home/secret', `${folder}/SKILL.md`);
    const run = await world.run(['show', 'pdf']);
    expect(run.code).toBe(1);
    expect(run.stdout + run.stderr).not.toContain('hunter2');
  });
});
