import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillError } from '../kernel/errors.ts';
import { checkShaping } from './check.ts';
import { linesOf } from './lines.ts';
import { shape } from './shape.ts';
import type { Shaping } from './types.ts';

function refusal(output: string, shaping: Shaping): SkillError {
  try {
    shape(output, shaping);
  } catch (error) {
    if (error instanceof SkillError) return error;
    throw error;
  }
  throw new Error('not refused');
}

const text = fc
  .array(fc.constantFrom('a', 'b', 'error: ', ' ', '\n', '\r\n', '\r', 'é', '👨‍👩‍👧'), { maxLength: 60 })
  .map((parts) => parts.join(''));

describe('lines', () => {
  it('are kept with what ends them', () => {
    const output = 'one\r\ntwo\nthree';
    expect(shape(output, { grep: 'o$' }).text).toBe('two\n');
    expect(shape(output, { grep: '^one$' }).text).toBe('one\r\n');
    expect(shape(output, { tail: 1 }).text).toBe('three');
    expect(shape(output, { head: 2 }).text).toBe('one\r\ntwo\n');
    expect(shape(output, { grep: 't', grepInvert: true }).text).toBe('one\r\n');
    expect(shape(output, { head: 0 }).text).toBe('');
    expect(shape(output, { tail: 0 }).text).toBe('');
    expect(shape('a\n\nb\n', { grep: '^$' }).text).toBe('\n');
  });

  it('are looked for first, then taken from the beginning, then from the end', () => {
    const output = Array.from({ length: 20 }, (_, index) => `${index % 2 === 0 ? 'even' : 'odd'} ${index}\n`).join('');
    const { text: shaped, notes } = shape(output, { grep: 'even', head: 5, tail: 2 });
    expect(shaped).toBe('even 6\neven 8\n');
    expect(notes).toEqual(['grep kept 10 of 20 lines.', 'head kept 5 of 10 lines.', 'tail kept 2 of 5 lines.']);
  });

  it('make up the text, however it is divided', () => {
    fc.assert(
      fc.property(text, fc.nat(12), (output, number) => {
        const lines = linesOf(output);
        expect(lines.join('')).toBe(output);
        const [head, tail] = [shape(output, { head: number }).text, shape(output, { tail: number }).text];
        expect(output.startsWith(head)).toBe(true);
        expect(output.endsWith(tail)).toBe(true);
        expect(linesOf(head).length).toBe(Math.min(number, lines.length));
        expect(linesOf(tail).length).toBe(Math.min(number, lines.length));
        const rest = Math.max(0, lines.length - number);
        expect(head + shape(output, { tail: rest }).text).toBe(output);
        const [matching, others] = [shape(output, { grep: 'a' }), shape(output, { grep: 'a', grepInvert: true })];
        expect(matching.text.length + others.text.length).toBe(output.length);
      }),
      { numRuns: 200 },
    );
  });

  it('are looked for in the ways that people know', () => {
    expect(shape('Error\nerror\nfine', { grep: '(?i)^ERROR' }).text).toBe('Error\nerror\n');
    expect(shape('a-b\nc', { grep: '\\-' }).text).toBe('a-b\n');
    expect(shape('😀\nx', { grep: '^.$' }).text).toBe('😀\nx');
    expect(shape('{"a": 1}\nx', { grep: '{"a"' }).text).toBe('{"a": 1}\n');
  });

  it('are not looked for without end', () => {
    const error = refusal(`${'a'.repeat(60)}!\n`, { grep: '^(a+)+$' });
    expect(error.code).toBe('usage');
    expect(error.message).toContain('500 ms');
  });
});

describe('what cannot be done', () => {
  it.each<[Shaping, string]>([
    [{ grep: '(' }, 'grep is not a regular expression'],
    [{ jq: '.[' }, 'The jq filter is wrong at character 3'],
    [{ head: 1.5 }, 'head must be a whole number'],
    [{ head: -1 }, 'head must be a whole number'],
    [{ tail: Number.NaN }, 'tail must be a whole number'],
    [{ tail: '3' as unknown as number }, 'tail must be a whole number'],
    [{ maxOutput: 0 }, 'max_output must be a whole number of at least 1'],
    [{ format: 'xml' as 'json' }, 'format must be one of text, json, lines, count, compact'],
    [{ truncate: 'left' as 'head' }, 'truncate must be one of'],
  ])('%j is refused before anything runs', (shaping, message) => {
    expect(() => checkShaping(shaping)).toThrow(message);
    const error = refusal('', shaping);
    expect(error.code).toBe('usage');
    expect(error.hint).toBeTruthy();
  });

  it('is jq on what is not JSON', () => {
    const error = refusal('hello\nworld', { jq: '.' });
    expect(error.code).toBe('usage');
    expect(error.message).toContain('the output is not: at line 1, column 1');
  });

  it('is writing without end', () => {
    const error = refusal('null', { jq: 'reduce range(60) as $i (1; [., .])' });
    expect(error.message).toContain('too long');
    expect(shape('null', { jq: 'reduce range(60) as $i (1; [., .])', format: 'count' }).text).toBe('2');
  });
});

describe('jq', () => {
  it('prints as jq does', () => {
    const { text: printed, value, notes } = shape('{"b":[1,{"c":[]}],"a":"x"}', { jq: '.' });
    expect(printed).toBe('{\n  "b": [\n    1,\n    {\n      "c": []\n    }\n  ],\n  "a": "x"\n}');
    expect(value).toEqual({ b: [1, { c: [] }], a: 'x' });
    expect(notes).toEqual([]);
    expect(shape('[1,"a"]', { jq: '.[]' })).toEqual({ text: '1\n"a"', value: undefined, notes: [] });
    expect(shape('[1,[2]]', { jq: '.[]', format: 'compact' }).text).toBe('1\n[2]');
    expect(shape('["a b","c"]', { jq: '.[]', format: 'text' }).text).toBe('a b\nc');
    expect(shape('{"a":1}\n{"a":2}\n', { jq: '.a', format: 'json' })).toMatchObject({
      text: '[\n  1,\n  2\n]',
      value: [1, 2],
    });
    expect(shape('[]', { jq: '.[]' }).text).toBe('');
    expect(shape('', { jq: '.' }).text).toBe('');
  });

  it('sees what the lines before it leave', () => {
    expect(shape('starting\n{"a":1}\n{"a":2}\ndone\n', { grep: '^\\{', tail: 1, jq: '.a' }).text).toBe('2');
  });

  it('does not round numbers in silence', () => {
    const shaped = shape('{"id":12345678901234567890}', { jq: '.id' });
    expect(shaped.text).toBe('12345678901234567890');
    expect(shaped.notes.join()).toContain('too large');
    expect(() => JSON.stringify(shaped.value)).not.toThrow();
  });

  it('cannot reach what all objects have in common', () => {
    const { value } = shape('{"__proto__":{"polluted":true}}', { jq: '.' });
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('formats', () => {
  const list = '[{"a": 1}, "two\\nlines", "three", 4]';

  it.each<[string, Shaping, string]>([
    ['a\n\nb  \n', { format: 'text' }, 'a\n\nb  \n'],
    ['a\n\n  b  \r\n', { format: 'compact' }, 'a\n  b'],
    ['{"a": [1, 2]}', { format: 'compact' }, '{"a":[1,2]}'],
    ['{"a": 1}\n{"a": 2}', { format: 'compact' }, '{"a":1}\n{"a":2}'],
    ['1 2 3', { format: 'compact' }, '1 2 3'],
    ['{"a":[]}', { format: 'json' }, '{\n  "a": []\n}'],
    ['{"a":1}{"a":2}', { format: 'json' }, '[\n  {\n    "a": 1\n  },\n  {\n    "a": 2\n  }\n]'],
    [list, { format: 'lines' }, '{"a":1}\n"two\\nlines"\nthree\n4'],
    ['plain\ntext', { format: 'lines' }, 'plain\ntext'],
    ['{"a":[1,2,3]}', { jq: '.a', format: 'lines' }, '1\n2\n3'],
    [list, { format: 'count' }, '4'],
    ['a\nb\nc', { format: 'count' }, '3'],
    ['a\nb\n', { format: 'count' }, '2'],
    ['', { format: 'count' }, '0'],
    ['{"a":1,\n"b":2}', { format: 'count' }, '2'],
    ['[1,2,3]', { jq: '.[]', format: 'count' }, '3'],
    ['[1,2,3]', { jq: 'empty', format: 'count' }, '0'],
    ['a\nb\nab\n', { grep: 'a', format: 'count' }, '2'],
  ])('%j as %j', (output, shaping, expected) => {
    expect(shape(output, shaping).text).toBe(expected);
  });

  it('give the value where there is one', () => {
    expect(shape('[1]', { format: 'json' }).value).toEqual([1]);
    expect(shape('a\nb', { format: 'count' }).value).toBe(2);
    expect(shape('a', { format: 'text' }).value).toBeUndefined();
    const other = shape('not JSON', { format: 'json' });
    expect(other).toEqual({
      text: 'not JSON',
      value: undefined,
      notes: ['The output is not JSON, and is shown as it is.'],
    });
  });
});
