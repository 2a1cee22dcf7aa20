import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integers, longIntegers, type WitType } from './types.ts';
import { camelCase, toGuest, toJson } from './values.ts';
import { schemaOf } from './world.ts';

const word = fc.constantFrom('a', 'the-name', 'x9', 'HTTP-code', 'some', 'ok', 'tag');
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 4, selector: camelCase });

/** Any type without resources, with a JSON value for it. */
const typed: fc.Arbitrary<{ type: WitType; value: unknown }> = fc.letrec<{ any: { type: WitType; value: unknown } }>(
  (tie) => {
    const scalar = (kind: string, value: fc.Arbitrary<unknown>) =>
      value.map((one) => ({ type: { kind } as WitType, value: one }));
    const whole = Object.entries(integers).map(([kind, [min, max]]) => scalar(kind, fc.integer({ min, max })));
    const long = Object.entries(longIntegers).map(([kind, [min, max]]) =>
      scalar(
        kind,
        fc.bigInt({ min, max }).map((one) => (Number.isSafeInteger(Number(one)) ? Number(one) : String(one))),
      ),
    );
    const inner = tie('any');
    return {
      any: fc.oneof(
        { maxDepth: 4 },
        scalar('bool', fc.boolean()),
        scalar('string', fc.string({ unit: 'binary' })),
        scalar('char', fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
        scalar(
          'f64',
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
        ),
        ...whole,
        ...long,
        inner.map(({ type, value }) => ({ type: { kind: 'list', of: type }, value: [value, value] })),
        inner.map(({ type, value }) => ({
          type: { kind: 'option', of: type },
          value: type.kind === 'option' ? { some: value } : value,
        })),
        inner.map(({ type }) => ({ type: { kind: 'option', of: type }, value: null })),
        fc.array(inner, { minLength: 1, maxLength: 3 }).map((parts) => ({
          type: { kind: 'tuple', of: parts.map(({ type }) => type) },
          value: parts.map(({ value }) => value),
        })),
        fc.tuple(words, inner).map(([names, { type, value }]) => ({
          type: { kind: 'record', fields: names.map((name) => [name, type] as const) },
          value: Object.fromEntries(names.map((name) => [name, value])),
        })),
        fc.tuple(words, inner).map(([[tag = '', ...others], { type, value }]) => ({
          type: { kind: 'variant', cases: [...others.map((name) => [name, null] as const), [tag, type] as const] },
          value: { tag, val: value },
        })),
        words.map((names) => ({ type: { kind: 'enum', names }, value: names.at(-1) })),
        words.map((names) => ({ type: { kind: 'flags', names }, value: names.slice(1) })),
        inner.map(({ type, value }) => ({ type: { kind: 'result', ok: type, err: null }, value: { ok: value } })),
        inner.map(({ type }) => ({ type: { kind: 'result', ok: type, err: null }, value: { err: null } })),
      ) as fc.Arbitrary<{ type: WitType; value: unknown }>,
    };
  },
).any;

describe('a value of a WIT type', () => {
  it('comes back from a component as it went in, and fits the schema of its type', () => {
    fc.assert(
      fc.property(typed, ({ type, value }) => {
        expect(toJson(type, toGuest(type, value, 'x'))).toEqual(value);
        const { valid, errors } = new Validator(schemaOf(type) as never, '2020-12').validate(value as never);
        expect([valid, errors]).toEqual([true, []]);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused by its schema and at the call where it does not fit', () => {
    const wrong: readonly (readonly [WitType, unknown, string])[] = [
      [{ kind: 'u8' }, 256, 'x: an integer from 0 to 255'],
      [{ kind: 's8' }, -129, 'x: an integer from -128 to 127'],
      [{ kind: 'u32' }, 1.5, 'x: an integer'],
      [{ kind: 'u64' }, -1, 'x: an integer from 0 to 18446744073709551615'],
      [{ kind: 'u64' }, 2 ** 60, 'x: an integer'],
      [{ kind: 's64' }, '12a', 'x: an integer'],
      [{ kind: 'char' }, 'ab', 'x: one character'],
      [{ kind: 'bool' }, 'true', 'x: true or false'],
      [{ kind: 'tuple', of: [{ kind: 'bool' }] }, [], 'x: a list of 1 values'],
      [{ kind: 'list', of: { kind: 'record', fields: [['a', { kind: 'string' }]] } }, [{}], 'x[0].a: a string'],
      [{ kind: 'enum', names: ['a', 'b'] }, 'c', 'x: one of a, b'],
      [{ kind: 'flags', names: ['a', 'b'] }, ['c'], 'x: one of a, b'],
      [{ kind: 'variant', cases: [['a', null]] }, { tag: 'b' }, 'x.tag: one of a'],
      [{ kind: 'result', ok: { kind: 'bool' }, err: null }, { ok: 1 }, 'x.ok: true or false'],
      [{ kind: 'unsupported', what: 'a resource' }, 1, 'x: a resource'],
    ];
    for (const [type, value, words_] of wrong) {
      expect(() => toGuest(type, value, 'x')).toThrow(words_);
      const { valid } = new Validator(schemaOf(type) as never, '2020-12').validate(value as never);
      expect([type, value, valid]).toEqual([type, value, false]);
    }
  });

  it('is written as a string where JSON has no number for it', () => {
    const numbers = [Number.NaN, Number.POSITIVE_INFINITY, 1.5].map((one) => toJson({ kind: 'f64' }, one));
    expect(numbers).toEqual(['NaN', 'Infinity', 1.5]);
    expect(toJson({ kind: 'u64' }, 2n ** 64n - 1n)).toBe('18446744073709551615');
  });
});
