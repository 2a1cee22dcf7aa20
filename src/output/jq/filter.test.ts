import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jq } from '../../../test/support/jq.ts';
import { SkillError } from '../../kernel/errors.ts';
import { compileFilter } from './filter.ts';

function refusal(filter: string, input?: string): SkillError {
  try {
    jq(filter, input);
  } catch (error) {
    if (error instanceof SkillError) return error;
    throw error;
  }
  throw new Error(`not refused: ${filter}`);
}

describe('a filter that is wrong', () => {
  it.each([
    ['.a[', 'at character 4: expected a filter, found the end'],
    ['.a b', 'at character 4: expected an operator or the end, found "b"'],
    ['{a:}', 'at character 4: expected a filter, found "}"'],
    ['1 +', 'at character 4: expected a filter, found the end'],
    ['.a | \n  ]', 'at line 2, character 3: expected a filter, found "]"'],
    ['"abc', 'at character 1: expected a string that is closed with "'],
    ['"a\\q"', 'at character 3: expected an escape'],
    ['"a\\(1"', 'expected a string that is closed with "'],
    ['if 1 then 2', 'expected "end", found the end'],
    ['reduce . as $x', 'expected "(", found the end'],
    ['. as x | 1', 'expected a name such as $x'],
    ['1 == 2 == 3', 'expected parentheses'],
    ['{a b}', 'expected "," or "}", found "b"'],
    ['.a.', 'expected a key, found the end'],
    ['{(1)}', 'expected ":"'],
    ['&', 'expected a filter, found "&"'],
    ['$x', 'unknown variable $x'],
    ['break $out', 'unknown label out'],
    ['@yaml', 'unknown format @yaml'],
    ['lenght', 'unknown function lenght/0. Did you mean length?'],
    ['split', 'unknown function split/0. Did you mean split/1 or split/2?'],
    ['env.HOME', 'unknown function env/0'],
    ['input', 'unknown function input/0'],
    ['now', 'unknown function now/0'],
    ['def f: 1; f(2)', 'unknown function f/1. Did you mean f/0'],
  ])('%j: %s', (filter, message) => {
    const error = refusal(filter);
    expect(error.code).toBe('usage');
    expect(error.message).toContain(message);
    expect(error.hint).toBeTruthy();
  });

  it('is told all functions that there are', () => {
    expect(refusal('nothing_like_it').hint).toMatch(/Known functions: .*\bgroup_by\b.*\bwith_entries\b/);
  });
});

describe('a filter that fails', () => {
  it.each([
    ['.a', '[1]', 'Cannot index array with "a"'],
    ['.[0]', '{}', 'Cannot index object with number'],
    ['.[]', '5', 'Cannot iterate over number (5)'],
    ['.[]', 'null', 'Cannot iterate over null'],
    ['. + 1', '"a"', 'string ("a") and number (1) cannot be added'],
    ['. / 0', '1', 'cannot be divided because the divisor is zero'],
    ['keys', '1', 'number (1) has no keys'],
    ['tonumber', '"x"', 'cannot be parsed as a number'],
    ['error("mine")', 'null', 'mine'],
    ['error({a: 1})', 'null', '{"a":1}'],
    ['test("(")', '"a"', 'is not a valid regex'],
    ['test("a"; "q")', '"a"', 'is not a valid modifier string'],
    ['{(.a): 1}', '{"a":2}', 'Object keys must be strings'],
    ['path(1)', 'null', 'Invalid path expression'],
    ['@csv', '"a"', 'cannot be csv-formatted'],
    ['fromjson', '"[1"', 'is not JSON'],
    ['.[-1] = 1', '[]', 'Out of bounds negative array index'],
    ['.[1e9] = 1', '[]', 'Array index too large'],
    ['error("x") // 1', 'null', 'x'],
  ])('%s for %s: %s', (filter, input, message) => {
    const error = refusal(filter, input);
    expect(error.code).toBe('usage');
    expect(error.message).toContain(message);
  });

  it('does not print a long value in full', () => {
    expect(refusal('.a', JSON.stringify(['x'.repeat(10_000)])).message.length).toBeLessThan(300);
    expect(refusal('. + 1', JSON.stringify('x'.repeat(10_000))).message.length).toBeLessThan(300);
  });
});

describe('a filter without an end', () => {
  it.each([
    '[range(1e12)]',
    '[repeat(1)]',
    '[recurse(.)]',
    'last(range(infinite))',
    '0 | until(false; . + 1)',
    '[while(true; .)]',
    'def f: f; f',
    'def f: 1 + f; f',
    'def f: [f]; f',
    'def f: f, f; f',
    'reduce range(100) as $i ("x"; . + .)',
    'reduce range(100) as $i ([1]; . + .)',
    'reduce range(100) as $i (1; [., .]) | tojson',
    'reduce range(100) as $i (1; [., .]) | flatten',
    'reduce range(100) as $i (1; [., .]) | [..] | length',
    'reduce range(100) as $i ({}; {a: ., b: .}) | [paths] | length',
    'reduce range(1000000) as $i (1; [.]) | tojson',
    'reduce range(100) as $i (1; [., .]) as $x | reduce range(100) as $i (1; [., .]) | . == $x',
    '"x" * 1e10',
    '[limit(1e9; repeat("x"))] | add',
    '[range(1000)] | [combinations(5)]',
    '[range(2000)] | combinations(3)',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" | test("^(a+)+$")',
    '[range(100000) | tostring] | join(",") | [match("(.*)(.*)(.*)(.*)x"; "g")]',
    'reduce range(100000) as $i ([]; .[$i] = $i | .[0] = .)',
  ])('is ended: %s', (filter) => {
    expect(refusal(filter).message).toMatch(/takes too many steps|did not finish within|too deeply|deep/);
  });

  it.each([
    '('.repeat(100_000),
    '('.repeat(5000) + ')'.repeat(5000),
    '['.repeat(5000),
    `${'-'.repeat(5000)}1`,
    '"\\('.repeat(3000),
    '{a:'.repeat(3000),
    'if '.repeat(3000),
    `. as ${'['.repeat(3000)}$x`,
    `1${' // 1'.repeat(3000)}`,
  ])('is not even begun: %.10s…', (filter) => {
    expect(refusal(filter).message).toMatch(/nested|more than 20000/);
  });

  it('is no filter that is merely long', () => {
    expect(jq(`1${' + 1'.repeat(500)}`)).toEqual(['501']);
    expect(jq(`1${' | . + 1'.repeat(300)}`)).toEqual(['301']);
  });

  it('stops where no more is wanted', () => {
    expect(jq('[limit(3; range(1e12))]')).toEqual(['[0,1,2]']);
    expect(jq('first(repeat(1))')).toEqual(['null']);
    expect(jq('any(range(1e12); . > 5)')).toEqual(['true']);
    expect(jq('[label $out | range(1e12) | if . > 2 then break $out else . end]')).toEqual(['[0,1,2]']);
  });
});

describe('keys that mean something to a program', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype'];

  it.each(names)('are keys like any other: %s', (name) => {
    const input = JSON.stringify({ a: 1 }).replace('"a"', JSON.stringify(name));
    expect(jq('.', input)).toEqual([input]);
    expect(jq(`.["${name}"]`, '{}')).toEqual(['null']);
    expect(jq(`has("${name}")`, '{}')).toEqual(['false']);
    expect(jq(`.["${name}"].x = 1 | {}["x"]`, '{}')).toEqual(['null']);
    expect(jq(`{"${name}": {x: 1}} * {"${name}": {y: 2}}`)).toEqual([`{"${name}":{"x":1,"y":2}}`]);
    expect(jq(`to_entries | from_entries`, input)).toEqual([input]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('are not functions, formats or variables', () => {
    for (const name of names) {
      expect(() => compileFilter(name)).toThrow('unknown function');
      expect(() => compileFilter(`@${name}`)).toThrow('unknown format');
      expect(() => compileFilter(`$${name}`)).toThrow('unknown variable');
    }
  });
});

describe('values', () => {
  it('pass through as they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.parse(jq('.', json)[0] ?? '')).toEqual(JSON.parse(json));
        expect(JSON.parse(jq('tojson | fromjson', json)[0] ?? '')).toEqual(JSON.parse(json));
        expect(jq('. == . and ([., .] | unique | length) == 1', json)).toEqual(['true']);
      }),
      { numRuns: 200 },
    );
  });

  it('keep the order of their keys and all digits of their numbers', () => {
    expect(jq('.', '{"b":1,"10":2,"2":3,"a":12345678901234567890}')).toEqual([
      '{"b":1,"10":2,"2":3,"a":12345678901234567890}',
    ]);
    expect(jq('.[0] == .[1], .[0] < .[1]', '[9007199254740993,9007199254740994]')).toEqual(['false', 'true']);
    expect(jq('. + 0', '9007199254740993')).toEqual(['9007199254740992']);
  });

  it('are in one order, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 8 }), (values) => {
        const sorted = jq('sort', JSON.stringify(values));
        expect(jq('sort', JSON.stringify(values.toReversed()))).toEqual(sorted);
        expect(jq('[.[:-1], .[1:]] | transpose | all(.[0] <= .[1] or .[1] == null)', sorted[0])).toEqual(['true']);
      }),
      { numRuns: 200 },
    );
  });

  it('are updated at every path, and at no other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const json = JSON.stringify(value);
        expect(jq('[paths] as $p | reduce $p[] as $one (.; setpath($one; getpath($one)))', json)).toEqual(
          jq('.', json),
        );
        expect(
          jq(
            '(.. | scalars) |= [.] | (.. | arrays | select(length == 1 and (.[0] | type) != "array" and (.[0] | type) != "object")) |= . | type',
            json,
          ).length,
        ).toBe(1);
      }),
      { numRuns: 100 },
    );
  });

  it('come one after the other, as in a log', () => {
    expect(jq('.a', '{"a":1}\n{"a":2}\r\n{"a":3}')).toEqual(['1', '2', '3']);
    expect(jq('.', ' \n')).toEqual([]);
    expect(jq('.', '[][]""""1')).toEqual(['[]', '[]', '""', '""', '1']);
    expect(() => jq('.', '1"a"tru')).toThrow('at line 1, column 5');
  });

  it('may be written as some programs do', () => {
    expect(jq('.', '[NaN, Infinity, -Infinity]')).toEqual(['[null,1.7976931348623157e+308,-1.7976931348623157e+308]']);
    expect(jq('.', '"a\tb\\ud800"')).toEqual(['"a\\tb\ufffd"']);
  });

  it.each(['{', '[1,]', '{"a"}', '{"a":1,}', '"a', '"\\x"', '01', '1 2x', 'tru', "{'a':1}", '[1 2]', '"\\'])(
    'are not read from %j',
    (text) => {
      expect(() => jq('.', text)).toThrow(/column|nested/);
    },
  );

  it('are not read where they are nested without end', () => {
    expect(() => jq('.', '['.repeat(1_000_000))).toThrow('nested');
    expect(() => jq('.', '{"a":'.repeat(200_000))).toThrow('nested');
    expect(jq('[..] | length', '['.repeat(900) + ']'.repeat(900))).toEqual(['900']);
  });
});
