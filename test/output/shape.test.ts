import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillError } from '../../src/core/errors.ts';
import { linesOf } from '../../src/run/output/lines.ts';
import { checkShaping, shape } from '../../src/run/output/shape.ts';
import type { Shaping } from '../../src/run/output/types.ts';

async function refusal(output: string, shaping: Shaping): Promise<SkillError> {
  try {
    await shape(output, shaping);
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
  it('are kept with what ends them', async () => {
    const output = 'one\r\ntwo\nthree';
    expect((await shape(output, { grep: 'o$' })).text).toBe('two\n');
    expect((await shape(output, { grep: '^one$' })).text).toBe('one\r\n');
    expect((await shape(output, { tail: 1 })).text).toBe('three');
    expect((await shape(output, { head: 2 })).text).toBe('one\r\ntwo\n');
    expect((await shape(output, { grep: 't', grepInvert: true })).text).toBe('one\r\n');
    expect((await shape(output, { head: 0 })).text).toBe('');
    expect((await shape(output, { tail: 0 })).text).toBe('');
    expect((await shape('a\n\nb\n', { grep: '^$' })).text).toBe('\n');
  });

  it('are looked for first, then taken from the beginning, then from the end', async () => {
    const output = Array.from({ length: 20 }, (_, index) => `${index % 2 === 0 ? 'even' : 'odd'} ${index}\n`).join('');
    const { text: shaped, notes } = await shape(output, { grep: 'even', head: 5, tail: 2 });
    expect(shaped).toBe('even 6\neven 8\n');
    expect(notes).toEqual(['grep kept 10 of 20 lines.', 'head kept 5 of 10 lines.', 'tail kept 2 of 5 lines.']);
  });

  it('make up the text, however it is divided', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.nat(12), async (output, number) => {
        const lines = linesOf(output);
        expect(lines.join('')).toBe(output);
        const [head, tail] = [
          (await shape(output, { head: number })).text,
          (await shape(output, { tail: number })).text,
        ];
        expect(output.startsWith(head)).toBe(true);
        expect(output.endsWith(tail)).toBe(true);
        expect(linesOf(head).length).toBe(Math.min(number, lines.length));
        expect(linesOf(tail).length).toBe(Math.min(number, lines.length));
        const rest = Math.max(0, lines.length - number);
        expect(head + (await shape(output, { tail: rest })).text).toBe(output);
        const [matching, others] = [
          await shape(output, { grep: 'a' }),
          await shape(output, { grep: 'a', grepInvert: true }),
        ];
        expect(matching.text.length + others.text.length).toBe(output.length);
      }),
      { numRuns: 200 },
    );
  });

  it('are looked for in the ways that people know', async () => {
    expect((await shape('Error\nerror\nfine', { grep: '(?i)^ERROR' })).text).toBe('Error\nerror\n');
    expect((await shape('a-b\nc', { grep: '\\-' })).text).toBe('a-b\n');
    expect((await shape('😀\nx', { grep: '^.$' })).text).toBe('😀\nx');
    expect((await shape('{"a": 1}\nx', { grep: '{"a"' })).text).toBe('{"a": 1}\n');
  });

  it('are not looked for without end', async () => {
    const error = await refusal(`${'a'.repeat(60)}!\n`, { grep: '^(a+)+$' });
    expect(error.code).toBe('usage');
    expect(error.message).toMatch(/^The regular expression did not finish within \d+ ms$/);
  });
});

describe('what cannot be done', () => {
  it.each<[Shaping, string]>([
    [{ grep: '(' }, 'grep is not a regular expression'],
    [{ jq: '.[' }, 'The jq filter is not valid: syntax error, unexpected end of file'],
    [{ head: 1.5 }, 'head must be a whole number'],
    [{ head: -1 }, 'head must be a whole number'],
    [{ tail: Number.NaN }, 'tail must be a whole number'],
    [{ tail: '3' as unknown as number }, 'tail must be a whole number'],
    [{ maxOutput: 0 }, 'max_output must be a whole number of at least 1'],
    [{ format: 'xml' as 'json' }, 'format must be one of text, json, lines, count, compact'],
    [{ truncate: 'left' as 'head' }, 'truncate must be one of'],
  ])('%j is refused before anything runs', async (shaping, message) => {
    await expect(checkShaping(shaping)).rejects.toThrow(message);
    const error = await refusal('', shaping);
    expect(error.code).toBe('usage');
    expect(error.hint).toBeTruthy();
  });

  it('is jq on what is not JSON', async () => {
    const error = await refusal('hello\nworld', { jq: '.' });
    expect(error.code).toBe('usage');
    expect(error.message).toContain('the output is not: Invalid numeric literal at line 2, column 0');
  });

  it('is indenting what is nested too deeply', async () => {
    const filter = 'reduce range(500) as $i ([range(5000)]; [.])';
    expect((await refusal('null', { jq: filter })).message).toContain('too long');
    expect((await shape('null', { jq: filter, format: 'compact' })).text.length).toBeLessThan(30_000);
    // Each of them is short enough, and all of them together are not.
    const many = 'reduce range(500) as $i ([range(100) | 1]; [.]) as $x | range(20) | $x';
    for (const form of [{}, { format: 'text' }] as const)
      expect((await refusal('null', { jq: many, ...form })).message).toContain('too long');
  });
});

describe('jq', () => {
  it('prints as jq does', async () => {
    const { text: printed, value, notes } = await shape('{"b":[1,{"c":[]}],"a":"x"}', { jq: '.' });
    expect(printed).toBe('{\n  "b": [\n    1,\n    {\n      "c": []\n    }\n  ],\n  "a": "x"\n}');
    expect(value).toEqual({ b: [1, { c: [] }], a: 'x' });
    expect(notes).toEqual([]);
    expect(await shape('[1,"a"]', { jq: '.[]' })).toEqual({ text: '1\n"a"', value: undefined, notes: [] });
    expect((await shape('[1,[2]]', { jq: '.[]', format: 'compact' })).text).toBe('1\n[2]');
    expect((await shape('["a b","c"]', { jq: '.[]', format: 'text' })).text).toBe('a b\nc');
    expect(await shape('{"a":1}\n{"a":2}\n', { jq: '.a', format: 'json' })).toMatchObject({
      text: '[\n  1,\n  2\n]',
      value: [1, 2],
    });
    expect((await shape('[]', { jq: '.[]' })).text).toBe('');
    expect((await shape('', { jq: '.' })).text).toBe('');
  });

  it('sees what the lines before it leave', async () => {
    expect((await shape('starting\n{"a":1}\n{"a":2}\ndone\n', { grep: '^\\{', tail: 1, jq: '.a' })).text).toBe('2');
  });

  it('does not round numbers in silence', async () => {
    const shaped = await shape('{"id":12345678901234567890}', { jq: '.id' });
    expect(shaped.text).toBe('12345678901234567890');
    expect(shaped.notes.join()).toContain('too large');
    expect((await shape('1e1000', { format: 'json' })).notes.join()).toContain('too large');
    expect(() => JSON.stringify(shaped.value)).not.toThrow();
  });

  it('cannot reach what all objects have in common', async () => {
    const { value } = await shape('{"__proto__":{"polluted":true}}', { jq: '.' });
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('megabytes', () => {
  const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, of: { a: [[at, [at]]], b: [[{}]] } })));

  it.each<[Shaping, 'text' | 'json']>([
    [{ jq: '.', format: 'text' }, 'text'],
    [{ jq: '.[]' }, 'text'],
    [{ format: 'compact', head: 1 }, 'text'],
    [{ grep: '^(.*,)*x$' }, 'text'],
  ])('are shaped while others go on: %j', async (shaping, form) => {
    await shape('[]', { jq: '.' });
    const before = performance.eventLoopUtilization();
    await shape(rows, shaping, form).catch(() => undefined);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.3);
  });
});

it('time in which nobody listens does not count', async () => {
  await shape('[]', { jq: '.' });
  const shaped = shape('null', { jq: '[range(2e4)] | length' });
  await new Promise(setImmediate); // it is under way
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  expect((await shaped).text).toBe('20000');
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
  ])('%j as %j', async (output, shaping, expected) => {
    expect((await shape(output, shaping)).text).toBe(expected);
  });

  it('give the value of what a tool says is JSON, as it was printed', async () => {
    expect(await shape('{"a": [1]}\n', {}, 'json')).toEqual({ text: '{"a": [1]}\n', value: { a: [1] }, notes: [] });
    expect((await shape('{"a": [1]}', {})).value).toBeUndefined();
    expect((await shape('12345678', { maxOutput: 3 }, 'json')).value, 'a part is another value').toBeUndefined();
    expect((await shape('not JSON 12345678901234567890', {}, 'json')).notes).toEqual([]);
    expect((await shape('12345678901234567890', {}, 'json')).notes.join()).toContain('too large');
    expect((await shape('"\\ud800"', {}, 'json')).value).toBe('\ufffd');
    expect((await shape(`${'['.repeat(5000)}${']'.repeat(5000)}`, {}, 'json')).value).toBeUndefined();
  });

  it('give no value of JSON that others would have to wait for', async () => {
    const list = (items: number): string => `[${'[],'.repeat(items)}0]`;
    const long = await shape(list(100_000), {}, 'json');
    expect([long.text.length, long.value, long.notes]).toEqual([300_003, undefined, []]);
    expect((await shape(list(50_000), {}, 'json')).value).toHaveLength(50_001);
  });

  it('give the value where there is one', async () => {
    expect((await shape('[1]', { format: 'json' })).value).toEqual([1]);
    expect((await shape('a\nb', { format: 'count' })).value).toBe(2);
    expect((await shape('a', { format: 'text' })).value).toBeUndefined();
    const other = await shape('not JSON', { format: 'json' });
    expect(other).toEqual({
      text: 'not JSON',
      value: undefined,
      notes: ['The output is not JSON, and is shown as it is.'],
    });
  });
});
