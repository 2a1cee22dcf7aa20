import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../../../test/support/processor-time.ts';
import { checkSkill, referencesIn, type SkillPlace } from './check.ts';

const place: SkillPlace = {
  file: '/skills/pdf/SKILL.md',
  fileName: 'SKILL.md',
  folder: 'pdf',
  lookUp: (path) => (path.startsWith('..') || path.startsWith('/') ? 'outside' : path === 'a.md' ? 'there' : 'missing'),
};

function check(text: string | Uint8Array, changes: Partial<SkillPlace> = {}) {
  return checkSkill(Buffer.from(text), { ...place, ...changes });
}

/** Findings as `line:column code message`. */
function findingsIn(text: string | Uint8Array, changes: Partial<SkillPlace> = {}): string[] {
  return check(text, changes).map((one) => `${one.line ?? '-'}:${one.column ?? '-'} ${one.code} ${one.message}`);
}

/** Characters that mean something to YAML, and a few letters. */
const signs = '---\n\n\r: "\'[]{}#&*!|>?,\tname:description:x'.split('');

const withFields = (lines: string): string => `---\nname: pdf\ndescription: Reads.\n${lines}\n---\nText.\n`;
const named = (name: string): string => `---\nname: ${name}\ndescription: Reads.\n---\n`;

describe('the strict rules', () => {
  it.each([
    ['the least', '---\nname: pdf\ndescription: Reads.\n---\n'],
    ['CRLF', '---\r\nname: "pdf"\r\ndescription: Reads.\r\n---\r\nText.\r\n'],
    ['CR alone', '---\rname: pdf\rdescription: Reads.\r---\rText.\r'],
    [
      'all six fields',
      withFields('license: MIT\ncompatibility: bash\nmetadata:\n  a: "1"\nallowed-tools: Read Bash(git:*)'),
    ],
    ['a folded description', '---\nname: pdf\ndescription: >\n  Reads\n  files.\n---\n'],
    ['the longest description', `---\nname: pdf\ndescription: |\n  ${'x'.repeat(1024)}\n---\n`],
  ])('pass %s', (_what, text) => {
    expect(findingsIn(text)).toEqual([]);
  });

  it('accept letters and digits of every script, compared after NFKC', () => {
    expect(findingsIn(named('résumé-技能-٣'), { folder: 'résumé-技能-٣'.normalize('NFD') })).toEqual([]);
    expect(findingsIn(named('ﬁle'), { folder: 'file' })).toEqual([]);
  });

  it.each([
    ['pdf:1', ['2:10 rule-name name contains ":" at character 4']],
    ['"Pdf tool"', ['2:8 rule-name name contains the upper-case "P" at character 1, a space at character 4']],
    [
      'p\u200bdf',
      [
        '2:8 text-hidden 1 character that cannot be seen (U+200B); models see <U+200B> instead',
        '2:8 rule-name name contains U+200B at character 2',
      ],
    ],
    ['-pdf', ['2:7 rule-name name starts with a hyphen']],
    ['pdf-', ['2:10 rule-name name ends with a hyphen']],
    ['p--df', ['2:8 rule-name name has two hyphens in a row']],
    ["' pdf'", ['2:7 rule-name name has whitespace around it']],
    ['12', ['2:7 rule-name name is a number, not text']],
    ['[a]', ['2:7 rule-name name is a list, not text']],
    ['""', ['2:1 rule-name name is missing or empty']],
    ['a'.repeat(65), ['2:7 rule-name name has 65 characters; at most 64 are allowed']],
  ])('say what is wrong with the name %s, and where', (name, expected) => {
    expect(findingsIn(named(name)).filter((one) => !one.includes('rule-name-folder'))).toEqual(expected);
  });

  it('want the name of the folder, and propose it', () => {
    const [finding] = check(named('pdf'), { folder: 'pdf-tools' });
    expect(finding).toMatchObject({ code: 'rule-name-folder', line: 2, column: 7 });
    expect(finding?.remedy).toBe('Write name: pdf-tools, or rename the folder.');
  });

  it.each([
    ['---\nname: pdf\n---\n', '2:1 rule-description description is missing or empty'],
    [withFields('license: [MIT]'), '4:10 rule-license license is a list, not text'],
    [withFields('compatibility: ""'), '4:16 rule-compatibility compatibility is empty'],
    [
      withFields(`compatibility: ${'é'.repeat(501)}`),
      '4:16 rule-compatibility compatibility has 501 characters; at most 500 are allowed',
    ],
    [withFields('metadata: text'), '4:11 rule-metadata metadata is text, not a map of strings'],
    [
      withFields('metadata:\n  a: b\n  v: 1.0'),
      '6:3 rule-metadata metadata contains "v", which is a number and not text',
    ],
    [
      withFields('metadata: {"a": {"b": "c"}}'),
      '4:12 rule-metadata metadata contains "a", which is a map and not text',
    ],
    [
      withFields('allowed-tools: Read, Write'),
      '4:16 rule-allowed-tools allowed-tools is separated by commas, not by spaces',
    ],
    [withFields('allowed-tools:\n  - Read'), '5:5 rule-allowed-tools allowed-tools is a list, not one line of text'],
    [withFields('version: 1'), '4:1 rule-unknown-field "version" is not a field of the format'],
    [withFields('hooks: {}'), '4:1 rule-unknown-field "hooks" is not a field of the format; it is one of Claude Code'],
  ])('report problems of fields: case %#', (text, expected) => {
    expect(findingsIn(text)).toEqual([expected.replace('5:5', '5:3')]);
  });

  it('leave commas in parentheses to the tool', () => {
    expect(findingsIn(withFields('allowed-tools: Bash(git:*, npm:*) Read'))).toEqual([]);
  });

  it.each([
    ['Description: x', 'Write description instead.'],
    ['allowedTools: Read', 'Write allowed-tools instead.'],
    ['author: me', 'Move it below metadata:, where any name with a text value is allowed.'],
    ['constructor: me', 'Move it below metadata:, where any name with a text value is allowed.'],
  ])('give a remedy for %s', (line, remedy) => {
    expect(check(withFields(line)).map((one) => one.remedy)).toEqual([remedy]);
  });

  it('report every YAML problem, and the broken rules beside them', () => {
    const text = '---\nname: PDF\ndescription: Use when: asked\nargs: [a] [b]\nb: c: d\ne: "f\n---\n';
    expect(findingsIn(text).filter((one) => one.includes('rule-yaml'))).toEqual([
      '3:14 rule-yaml not strict YAML: an unquoted value contains ": ", which YAML reads as a field of its own',
      '4:11 rule-yaml not strict YAML: there is more text after the end of the value',
      '5:4 rule-yaml not strict YAML: an unquoted value contains ": ", which YAML reads as a field of its own',
      '6:4 rule-yaml not strict YAML: a quote is opened but never closed',
    ]);
    expect(findingsIn(text)).toContain(
      '2:7 rule-name name contains the upper-case "P" at character 1, the upper-case "D" at character 2, the upper-case "F" at character 3',
    );
  });

  it('report keys that appear twice, at every level', () => {
    expect(findingsIn(withFields('name: x\nmetadata:\n  a: b\n  a: c'))).toEqual([
      '4:1 rule-yaml not strict YAML: the key "name" appears twice',
      '7:3 rule-yaml not strict YAML: the key "a" appears twice',
    ]);
  });

  it.each([
    ['', '1:1 frontmatter-missing no front matter at the start of the file'],
    ['# Title\n', '1:1 frontmatter-missing no front matter at the start of the file'],
    ['---\nname: pdf\n', '1:1 frontmatter-unclosed front matter is opened by --- but never closed'],
    [
      '---\nname: pdf\ndescription: d\n\n# T\n',
      '1:1 frontmatter-unclosed front matter is opened by --- but never closed',
    ],
    ['---js\nname: pdf\n---\n', '1:4 frontmatter-language front matter in "js" is never read or run'],
    [
      '---yaml\nname: pdf\ndescription: d\n---\n',
      '1:1 rule-frontmatter front matter is opened by "---yaml"; some agents accept only ---',
    ],
    ['\n---\nname: pdf\ndescription: d\n---\n', '2:1 rule-frontmatter front matter does not start on the first line'],
    [
      '\ufeff---\nname: pdf\ndescription: d\n---\n',
      '1:1 rule-encoding the file starts with a byte order mark, after which some agents do not find the front matter',
    ],
    ['---\n- a\n---\n', '2:1 frontmatter-not-a-map front matter has no key: value fields'],
    [
      `---\nname: pdf\ndescription: ${'x'.repeat(70_000)}\n---\n`,
      '1:1 frontmatter-too-large front matter is larger than 65536 bytes',
    ],
    [
      `---\n${'{'.repeat(60_000)}\n---\n`,
      '2:1 frontmatter-too-complex front matter is nested more than 32 levels deep',
    ],
    [
      `---\nname: pdf\ndescription: &d d\nsame: [${'*d,'.repeat(33)}]\n---\n`,
      '2:1 frontmatter-too-complex front matter has more than 32 aliases',
    ],
    [
      `---\nname: pdf\ndescription: d\nmany: [${'1,'.repeat(3000)}]\n---\n`,
      '2:1 frontmatter-too-complex front matter has more than 2000 values',
    ],
  ])('report problems of front matter: case %#', (text, expected) => {
    expect(findingsIn(text)).toEqual([expected]);
  });

  it('want UTF-8, and go on where it is not', () => {
    expect(findingsIn(Buffer.from('---\nname: x\n', 'utf16le'))).toEqual([
      '-:- text-encoding the file is UTF-16 or binary, not UTF-8 text',
    ]);
    const codes = check(Buffer.from('---\nname: X\xff\ndescription: d\n---\n', 'latin1')).map((one) => one.code);
    expect(codes).toContain('text-encoding');
    expect(codes).toContain('rule-name');
  });

  it('want the file to be called SKILL.md', () => {
    expect(findingsIn(named('pdf'), { fileName: 'skill.md' })).toEqual([
      '-:- rule-file-name the file is called skill.md; most agents look for SKILL.md only',
    ]);
  });

  it.each([
    ['lines', 'x\n'.repeat(501)],
    ['tokens', 'x'.repeat(20_010)],
  ])('advise against a body of too many %s', (_what, body) => {
    expect(check(named('pdf') + body)).toMatchObject([{ code: 'rule-body', severity: 'warning', line: 5 }]);
  });

  it('follow the links of the body', () => {
    const body = '\nSee [a](a.md), [b](b.md#top) and\n[c](../c.md).\n';
    expect(findingsIn(named('pdf') + body)).toEqual([
      '6:20 rule-reference the body links to b.md, which does not exist',
      '7:5 rule-reference the body links to ../c.md, which is outside the skill',
    ]);
  });

  it('stop at a hundred findings', () => {
    const fields = Array.from({ length: 500 }, (_, index) => `f${index}: x`).join('\n');
    const findings = check(withFields(fields));
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)?.message).toBe('and 400 more findings in this file');
  });

  it('never throw, and point into the file', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...signs), maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, (yaml) => {
        const whole = `---\n${yaml}\n---\n${yaml}`;
        const lines = whole.split(/\r\n|\r|\n/);
        for (const { line, column } of check(whole)) {
          if (line === null) continue;
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThan(0);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

const paths = (body: string): string[] => referencesIn(body).map((one) => one.path);

describe('the references of a body', () => {
  it('are links, images and definitions, each path once with its place', () => {
    expect(referencesIn('[a](x.md) ![b](y/z.png "title")\n\n[c]: <my file.md>\n[d](x.md)')).toEqual([
      { path: 'x.md', line: 1, column: 5 },
      { path: 'y/z.png', line: 1, column: 16 },
      { path: 'my file.md', line: 3, column: 7 },
    ]);
  });

  it.each([
    ['the web', '[a](https://x.y/z.md) [b](mailto:a@b.c) [c](//x.y/z.md)'],
    ['the page itself', '[a](#top.1)'],
    ['fenced code', '```md\n[a](x.md)\n```\n~~~~\n```\n[b](y.md)\n~~~~'],
    ['a fence that is never closed', '```\n[a](x.md)'],
    ['code in a line', '`[a](x.md)` and ``[b](`y.md)``'],
    ['indented code', 'Text:\n\n    [a](x.md)\n    [b](y.md)\n'],
    ['placeholders', '[a](url) [b]({baseDir}/x.md) [c](path/...) [d](*.md)'],
    ['text in brackets', '[a] (x.md) [b](x y.md)'],
  ])('leave out %s', (_what, body) => {
    expect(paths(body)).toEqual([]);
  });

  it('go on after code', () => {
    expect(paths('```\n[a](x.md)\n```\n[b](y.md)\n\n- item\n\n    [c](z.md) and `code` [d](w.md)')).toEqual([
      'y.md',
      'z.md',
      'w.md',
    ]);
  });

  it('are paths, not addresses', () => {
    expect(paths('[a](a%20b.md?x=1#y) [b](100%.md) [c](f(x).md)')).toEqual(['a b.md', '100%.md', 'f(x).md']);
  });

  it.each([
    ['brackets', '['.repeat(500_000)],
    ['links that never end', '](a "'.repeat(200_000)],
    ['backticks', Array.from({ length: 100_000 }, (_, index) => '`'.repeat((index % 40) + 1)).join(' ')],
    ['links', Array.from({ length: 100_000 }, (_, index) => `[a](${index}.md)`).join('')],
  ])('are found in little time among %s', async (_what, body) => {
    const found = () => expect(paths(body).length).toBeLessThanOrEqual(1000);
    expect(await processorSeconds(found)).toBeLessThan(3);
  });
});
