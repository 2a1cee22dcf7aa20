import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkill } from './parse.ts';

const parse = (text: string | Uint8Array) => parseSkill(Buffer.from(text), 'SKILL.md', 'folder');
const file = (description: string): string => `---\nname: n\ndescription: ${description}\nlicense: MIT\n---\nbody\n`;

/** One line of text as people write it: words, and now and then a sign that means something to YAML. */
const prose = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(/^[a-zé表]{1,8}$/) },
      fc.constantFrom(':', 'a:', '- b', '[c]', '{d', '@e', '"f"', "g'h", '!i', '& j', '`k`', '*l*', '%m', '>n', '|o'),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((words) => words.join(' '));

describe('the parser', () => {
  it('never throws, whatever the bytes, and always says why there is no skill', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          fc.string({ unit: 'binary', maxLength: 400 }).map((text) => Buffer.from(`---\n${text}\n---\n`)),
        ),
        (bytes) => {
          const { skill, diagnostics } = parse(bytes);
          expect(skill !== null || diagnostics.some((one) => one.severity === 'error')).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads a quoted description as it was written', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((one) => one.trim() !== '');
    fc.assert(
      fc.property(text, (description) => {
        // JSON leaves these characters as they are, and YAML takes them for line breaks.
        const quoted = JSON.stringify(description).replace(
          /[\u0085\u2028\u2029\ufeff\u007f-\u009f]/g,
          (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        expect(parse(file(quoted)).skill?.description).toBe(description.trim());
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the words of a description that nobody quoted', () => {
    const words = (text: string): string => text.replace(/[^a-zé表]+/g, ' ').trim();
    fc.assert(
      fc.property(prose, (description) => {
        const { skill } = parse(file(`about ${description}`));
        expect(words(skill?.description ?? '')).toBe(words(`about ${description}`));
        expect(skill?.frontmatter['license']).toBe('MIT');
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same for LF, CRLF and a byte order mark', () => {
    fc.assert(
      fc.property(prose, (description) => {
        const text = file(description);
        const plain = parse(text);
        expect(parse(text.replaceAll('\n', '\r\n'))).toEqual(plain);
        expect(parse(`\ufeff${text}`)).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('ends quickly on anything of the size it accepts', () => {
    const signs = [
      '[',
      '{',
      '- ',
      '? ',
      '&a ',
      '!a ',
      'b: ',
      '{a: ',
      '"',
      "'",
      '|\n',
      '*a ',
      ': ',
      '\t',
      '\r',
      '%',
      '@',
      '- - \n',
      '<<: *a\n',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 3 }), (parts) => {
        const unit = parts.join('');
        const { user } = process.cpuUsage();
        parse(`---\n${unit.repeat(Math.floor(65_000 / unit.length))}\n---\n`);
        expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(2);
      }),
      { numRuns: 60 },
    );
  });

  it('mends what is broken in a front matter of 500 lines, and not in one that no author wrote', () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}: 'x`).join('\n');
    const of = (count: number) => parse(`---\nname: n\ndescription: d\n${lines(count - 2)}\n---\n`);
    expect(of(500).skill?.name).toBe('n');
    expect(of(501).skill).toBeNull();
    expect(of(501).diagnostics.map(({ code, line }) => [code, line])).toEqual([['frontmatter-unreadable', 4]]);
  });
});
