import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type ListedDiagnostic, type ListedSkill, type Run, World } from '../support/world.ts';
import { hostileCases } from './hostile.ts';

/** One scan over all of them together: nothing about one skill may touch another. */
let skills: ListedSkill[];
let diagnostics: ListedDiagnostic[];
const shared = new World();

beforeAll(async () => {
  shared.skill('home/.claude/skills/good', { name: 'good', description: 'Untouched by its neighbours.' });
  for (const { folder, bytes } of hostileCases) shared.write(`home/.claude/skills/${folder}/SKILL.md`, bytes);
  ({ skills, diagnostics } = await shared.list());
});

afterAll(() => rmSync(shared.root, { recursive: true, force: true }));

const inFolder = <T extends { file: string }>(list: readonly T[], folder: string): T[] =>
  list.filter((one) => one.file.includes(`/${folder}/`));

describe('a hostile file', () => {
  it.each(hostileCases)('$folder comes out as it must', ({ folder, skill, codes, at }) => {
    const [found] = inFolder(skills, folder);
    const notes = inFolder(diagnostics, folder);
    expect(found && { name: found.name, description: found.description, repaired: found.repaired }).toEqual(
      skill === null ? undefined : { repaired: false, ...skill },
    );
    expect(notes.map((note) => note.code)).toEqual(codes);
    if (at !== undefined) expect([notes[0]?.line, notes[0]?.column]).toEqual(at);
    for (const note of notes) expect(note.remedy).not.toBe('');
  });
});

it('none of them breaks a neighbour, runs code or ends the scan [C5-PROMISE-10 S3-FRONT-05 S3-ERR-05 C1-READ-15 C1-READ-16]', () => {
  expect(skills.find((skill) => skill.name === 'good')?.description).toBe('Untouched by its neighbours.');
  expect(skills.length).toBe(hostileCases.filter((one) => one.skill !== null).length + 1);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const listOne = async (
  bytes: string | Uint8Array,
): Promise<{ skills: ListedSkill[]; diagnostics: ListedDiagnostic[] }> => {
  const world = createWorld();
  world.write('home/.claude/skills/one/SKILL.md', bytes);
  return world.list();
};

const verbose = async (bytes: string): Promise<Run> => {
  const world = createWorld();
  world.write('home/.claude/skills/one/SKILL.md', bytes);
  return world.run(['list', '--verbose']);
};

describe('front matter', () => {
  it('without a name is skipped, and stderr says why [C1-READ-01 S3-FRONT-01 S3-FRONT-03 S3-FRONT-04 S3-TEST-09]', async () => {
    const run = await verbose('---\ndescription: d\n---\n');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('0 skills, 1 problem (1 skipped)');
    expect(run.stderr).toMatch(/^error: .*one\/SKILL\.md:2: name is missing or empty/);
  });

  it('without a description is skipped, and stderr says why [C1-READ-02 S3-FRONT-02]', async () => {
    const run = await verbose('---\nname: n\n---\n');
    expect(run.stderr).toMatch(/description is missing or empty/);
    expect(run.stdout).toContain('1 skipped');
  });

  it('is the YAML between the fences, in all of its forms [C1-READ-03 C1-READ-04]', async () => {
    const {
      skills: [skill],
    } = await listOne(
      "---\nname: 'yaml'\ndescription: >-\n  folded\n  text\nmetadata:\n  flow: [1, 2.5, yes, 0o17]\n  block: |\n    a\n    b\n  nothing:\n---\n---\nname: other\n",
    );
    expect(skill?.frontmatter).toEqual({
      name: 'yaml',
      description: 'folded text',
      metadata: { flow: [1, 2.5, 'yes', 15], block: 'a\nb\n', nothing: null },
    });
  });

  it('with an unquoted colon is read, and the repair is told [C1-READ-08 C1-READ-09]', async () => {
    const {
      skills: [skill],
      diagnostics: [note],
    } = await listOne('---\nname: n\ndescription: Use when: asked\n---\n');
    expect(skill).toMatchObject({ description: 'Use when: asked', repaired: true });
    expect(note).toMatchObject({ code: 'frontmatter-repaired', severity: 'warning', line: 3 });
  });

  it('beyond repair is skipped, with a warning [C1-READ-11 S2-DATA-03 S3-ERR-03 S3-ERR-04 S3-TEST-08]', async () => {
    const run = await verbose('---\n<<<<<<< HEAD\nname: n\n=======\n>>>>>>> x\ndescription: d\n---\n');
    expect(run.stdout).toContain('0 skills');
    expect(run.stderr).toMatch(/SKILL\.md:2: front matter is not YAML/);
  });

  it('past a limit is refused, whatever the limit [C1-READ-05 C1-READ-06 C1-READ-07]', () => {
    const codeOf = (folder: string): string | undefined => inFolder(diagnostics, folder)[0]?.code;
    expect(codeOf('alias-bomb')).toBe('frontmatter-too-complex');
    expect(codeOf('nested-maps')).toBe('frontmatter-too-complex');
    expect(codeOf('nested-keys')).toBe('frontmatter-too-complex');
    expect(codeOf('huge-description')).toBe('frontmatter-too-large');
  });

  it('that holds numbers and booleans is read as the text that was written [C1-READ-17 C1-READ-18]', async () => {
    const {
      skills: [skill],
    } = await listOne('---\nname: 007\ndescription: False\n---\n');
    expect(skill).toMatchObject({ name: '007', description: 'False' });
  });

  it('is repaired in every shape that real files break in [C1-READ-10]', () => {
    const shapes = ['unquoted-colon', 'two-flow-lists', 'unbalanced-json', 'starts-with-comma', 'starts-with-dash'];
    for (const shape of shapes) expect(inFolder(skills, shape)[0]?.repaired, shape).toBe(true);
  });

  it('never gives a name or a description that nobody wrote as one [C1-READ-21]', () => {
    const texts = skills.flatMap(({ name, description }) => [name, description]);
    expect(texts.filter((text) => /^(?:[{&!|>%\]}]|\[[^\]]*$|\*[^*]*$)/.test(text))).toEqual([]);
  });

  it('with a byte order mark or CRLF reads the same, and loads byte for byte [C1-READ-12 C1-READ-13 C1-READ-14]', async () => {
    const plain = '---\nname: same\ndescription: "the same"\nmetadata:\n  a: "b"\n---\ntext\n';
    const forms = [plain, `\ufeff${plain}`, plain.replaceAll('\n', '\r\n'), `\ufeff${plain.replaceAll('\n', '\r\n')}`];
    const read = await Promise.all(forms.map(listOne));
    for (const {
      skills: [skill],
    } of read)
      expect(skill?.frontmatter).toEqual(read[0]?.skills[0]?.frontmatter);
    for (const form of forms) {
      const world = createWorld();
      world.write('home/.claude/skills/one/SKILL.md', form);
      expect((await world.run(['show', 'same', '--raw'])).stdout).toBe(form);
    }
  });

  it('that breaks the strict rules still loads, as long as both fields are there [C1-READ-20]', async () => {
    const {
      skills: [skill],
      diagnostics: notes,
    } = await listOne('---\nname: Not A Valid Name\ndescription: d\nversion: 1.2\nallowed-tools: Read, Write\n---\n');
    expect(skill?.name).toBe('Not A Valid Name');
    expect(notes).toEqual([]);
  });
});

it('every refusal names file, line and cause [C5-PROMISE-07 C5-PROMISE-08 C5-PROMISE-09]', () => {
  const errors = diagnostics.filter((note) => note.severity === 'error');
  const whole = ['file-too-large', 'text-encoding'];
  expect(errors.length).toBeGreaterThan(20);
  for (const note of errors) {
    expect(note.file).toMatch(/\/SKILL\.md$/);
    if (!whole.includes(note.code)) expect(note.line, note.code).toBeGreaterThan(0);
    expect(note.message.length).toBeGreaterThan(10);
  }
});
