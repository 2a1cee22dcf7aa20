import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixSkill } from './fix.ts';
import { parseSkill } from './parse.ts';
import { checkSkill } from './rules/check.ts';
import { toolsOf } from './rules/fields.ts';
import type { Json } from './types.ts';

const parse = (text: string) => parseSkill(Buffer.from(text), '', 'folder').skill;

/** The meaning of a skill, except for spaces around its name and between its tools. */
function meaning(skill: ReturnType<typeof parse>): unknown {
  const plain = (key: string, value: Json): Json => {
    if (key === 'name' && typeof value === 'string') return value.trim();
    return key === 'allowed-tools' ? (toolsOf(value) ?? value) : value;
  };
  const fields = Object.entries(skill?.frontmatter ?? {}).map(([key, value]) => [key, plain(key, value)]);
  return [skill?.name, skill?.description, fields];
}

describe('fixing', () => {
  it.each([
    [
      'quotes a value and keeps all else',
      '---\nname: a # mine\n# why\ndescription: Use when: asked\nversion: 1.0\n---\nbody: x\n',
      '---\nname: a # mine\n# why\ndescription: "Use when: asked"\nversion: 1.0\n---\nbody: x\n',
    ],
    [
      'makes one line of a value of several, and keeps the comment in it',
      '---\nname: a\ndescription: Use when:\n  - asked: "twice"\n  # or so\n\nlicense: MIT\n---\n',
      '---\nname: a\ndescription: "Use when: - asked: \\"twice\\""\n  # or so\n\nlicense: MIT\n---\n',
    ],
    [
      'keeps CRLF',
      '---\r\nname: a\r\ndescription: b: c\r\n---\r\nx\r\n',
      '---\r\nname: a\r\ndescription: "b: c"\r\n---\r\nx\r\n',
    ],
    ['keeps CR', '---\rname: a\rdescription: b: c\r---\rx\r', '---\rname: a\rdescription: "b: c"\r---\rx\r'],
    ['removes a byte order mark', '\ufeff---\nname: a\ndescription: b\n---\n', '---\nname: a\ndescription: b\n---\n'],
    ['moves front matter up', '\n \n---\nname: a\ndescription: b\n---\n', '---\nname: a\ndescription: b\n---\n'],
    [
      'takes comments along',
      '<!-- c -->\n# d\n---\nname: a\ndescription: b\n---\n',
      '---\n# <!-- c -->\n# d\nname: a\ndescription: b\n---\n',
    ],
    ['writes a plain fence', '---yaml\nname: a\ndescription: b\n---\n', '---\nname: a\ndescription: b\n---\n'],
    [
      'closes front matter where loading ended it',
      '---\r\nname: a\r\ndescription: b\r\n\r\n# T\r\n',
      '---\r\nname: a\r\ndescription: b\r\n---\r\n\r\n# T\r\n',
    ],
    ['closes front matter at the end', '---\nname: a\ndescription: b', '---\nname: a\ndescription: b\n---\n'],
    [
      'parts tools by spaces',
      '---\nname: a\ndescription: b\nallowed-tools: Read, Bash(git:*, npm:*), Write # c\n---\n',
      '---\nname: a\ndescription: b\nallowed-tools: Read Bash(git:*, npm:*) Write # c\n---\n',
    ],
    [
      'keeps the quotes of tools',
      '---\nname: a\ndescription: b\nallowed-tools: "Read,Write"\n---\n',
      '---\nname: a\ndescription: b\nallowed-tools: "Read Write"\n---\n',
    ],
    [
      'makes one line of a list of tools',
      '---\nname: a\nallowed-tools:\n  - Read\n  - "Bash(a b)"\n# c\ndescription: b\n---\n',
      '---\nname: a\nallowed-tools: Read Bash(a b)\n# c\ndescription: b\n---\n',
    ],
    [
      'makes one line of a flow list',
      '---\nname: a\nallowed-tools: [Read,\n  Write] # c\ndescription: b\n---\n',
      '---\nname: a\nallowed-tools: Read Write # c\ndescription: b\n---\n',
    ],
    ['trims a name', "---\nname: ' a '\ndescription: b\n---\n", '---\nname: "a"\ndescription: b\n---\n'],
    [
      'leaves a sound number beside a broken line a number',
      '---\nname: a\nversion: 1.0\ndescription: "b\nlicense: MIT\n---\n',
      '---\nname: a\nversion: 1.0\ndescription: "b"\nlicense: MIT\n---\n',
    ],
    ['takes tabs away', '---\n\tname: a\n\tdescription: |\n\t  b\n---\n', '---\nname: a\ndescription: |\n  b\n---\n'],
    [
      'changes no more than it must',
      '---\nname: a\nversion: 1.0\nlicense: MIT # x\nb: [c] [d]\ndescription: e\n---\n',
      '---\nname: a\nversion: 1.0\nlicense: MIT # x\nb: "[c] [d]"\ndescription: e\n---\n',
    ],
    [
      'does all of it at once',
      '\ufeff\r\n---yaml\r\nname: " a"\r\ndescription: b: c\r\nallowed-tools: [Read]\r\n\r\n# T\r\n',
      '---\r\nname: "a"\r\ndescription: "b: c"\r\nallowed-tools: Read\r\n---\r\n\r\n# T\r\n',
    ],
  ])('%s', (_what, before, after) => {
    expect(fixSkill(before).text).toBe(after);
  });

  it.each([
    ['a sound file', '---\nname: a\ndescription: b\n---\n'],
    ['a file without front matter', '# T\n'],
    ['a file that does not load', '\ufeff---\nname: a\n---\n'],
    ['tools that a blank would tear apart', '---\nname: a\ndescription: b\nallowed-tools: Web Search, Read\n---\n'],
    ['tools that a list has torn apart', '---\nname: a\ndescription: b\nallowed-tools: [Bash(a, b)]\n---\n'],
    ['a list with comments', '---\nname: a\ndescription: b\nallowed-tools:\n  - Read # c\n---\n'],
    ['two fields of one name', '---\nname: a\ndescription: b\nallowed-tools: a,b\nallowed-tools: c,d\n---\n'],
    ['an anchor that is used', '---\nname: a\ndescription: b\nallowed-tools: &t [Read]\nc: *t\n---\n'],
    ['two versions of one text', '---\nname: a\n<<<<<<< HEAD\ndescription: b\n=======\nc: d\n>>>>>>> x\n---\n'],
    ['a tab among spaces', '---\nname: a\ndescription: b\nmetadata:\n  c: d\n\te: f\n---\n'],
    ['a tab that may be a step inwards', '---\nname: a\ndescription: b\nmetadata:\n\tc: d\n---\n'],
    ['text that is no Unicode', '---\nname: a\ndescription: b: \ud800\n---\n'],
  ])('leaves %s alone', (_what, text) => {
    expect(fixSkill(text)).toEqual({ text, fixed: [] });
  });

  it('says what it did, and where that was', () => {
    const { fixed } = fixSkill('\n---\nname: a\ndescription: b: c\n  d\nallowed-tools: e,f\n---\n');
    expect(fixed).toEqual([
      { code: 'rule-frontmatter', line: 2, message: 'moved the front matter to the first line' },
      { code: 'rule-yaml', line: 4, message: 'quoted the value of description' },
      { code: 'rule-allowed-tools', line: 6, message: 'separated allowed-tools by spaces' },
    ]);
  });

  it('leaves no findings where everything can be fixed', () => {
    const { text } = fixSkill('\ufeff\n---yml\nname: "a "\ndescription: b: c\nallowed-tools:\n- Read\n\n# T');
    const place = { file: '', fileName: 'SKILL.md', folder: 'a', lookUp: () => 'there' as const };
    expect(checkSkill(Buffer.from(text), place)).toEqual([]);
  });
});

const plainBody = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => !text.includes('---') && Buffer.from(text).toString() === text);

/** A SKILL.md as careless people write it. */
const skillText = fc
  .record({
    start: fc.constantFrom('', '', '\ufeff', '\n', '# c\n\n', '\ufeff<!-- c -->\n'),
    opening: fc.constantFrom('---', '---', '--- ', '---yaml', '--- YML'),
    fields: fc.array(
      fc.oneof(
        fc.constantFrom(
          '# comment',
          '',
          '  # indented',
          '\t# tab',
          'metadata:',
          '  a: b',
          '\tc: d',
          '  - e',
          'f: &g h',
          'i: *g',
        ),
        fc
          .tuple(
            fc.constantFrom('name', 'description', 'allowed-tools', 'version', 'license', 'x y'),
            fc.constantFrom(': ', ':', ':\t', ':   '),
            fc.oneof(
              fc.constantFrom(
                '" a "',
                "'b'",
                '[c, d]',
                '{e',
                '|',
                '>-',
                '&f g',
                'Bash(a, b), Read',
                'A,B',
                '- h',
                '""',
              ),
              fc.string({ unit: fc.constantFrom(...'ab :#,"\'[]{}-()é\\'.split('')), maxLength: 12 }),
            ),
          )
          .map((parts) => parts.join('')),
        fc.string({ unit: fc.constantFrom(...'ab :#-"\t'.split('')), maxLength: 8 }),
      ),
      { maxLength: 7 },
    ),
    rest: fc.oneof(
      fc.tuple(fc.constantFrom('---\n', '--- \n'), fc.oneof(plainBody, fc.constant('\n# T\n---\nname: y\n'))),
      fc.tuple(fc.constantFrom('\n', '# T\n'), plainBody),
      fc.constant(['---', ''] as const),
    ),
    end: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  })
  .map(({ start, opening, fields, rest: [closing, body], end }) => {
    const lines = [opening, 'name: n', ...fields, 'description: d: e'].join('\n');
    return { text: `${start}${lines}\n${closing}`.replaceAll('\n', end) + body, body };
  });

describe('a fixed file', () => {
  it('says the same as before', () => {
    fc.assert(
      fc.property(skillText, ({ text }) => {
        const [before, after] = [parse(text), parse(fixSkill(text).text)];
        expect(meaning(after)).toEqual(meaning(before));
      }),
      { numRuns: 1000 },
    );
  });

  it('stays as it is when fixed again, and changes only when it says so', () => {
    fc.assert(
      fc.property(skillText, ({ text }) => {
        const once = fixSkill(text);
        expect(once.text === text).toBe(once.fixed.length === 0);
        expect(fixSkill(once.text)).toEqual({ text: once.text, fixed: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps its body, byte for byte', () => {
    fc.assert(
      fc.property(skillText, ({ text, body }) => {
        expect(fixSkill(text).text.endsWith(body)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
