import fc from 'fast-check';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { toJsonSchema } from './json-schema.ts';
import { parsed, problem } from './parsed.ts';
import {
  anything,
  choice,
  count,
  flag,
  type Infer,
  integer,
  list,
  literal,
  map,
  named,
  nullable,
  number,
  object,
  optional,
  parsedBy,
  type Schema,
  text,
  time,
  union,
} from './schema.ts';
import { expectedOf, type Form, pathText, read } from './schema-reader.ts';

const level = named('Level', choice(['low', 'high'], 'How much.', { default: 'low' }));
const host = parsedBy(text(), (name) =>
  name.includes('.') ? parsed({ host: name }) : problem(`"${name}" is not a host`, 'Write it like "a.example".'),
);
const order = object({
  name: text('Whose it is.', { min: 1 }),
  level,
  amount: optional(integer('How many.', { min: 1, max: 9 })),
  tags: list(text(), 'Words for it.', { default: [] }),
  rush: flag('At once.', { default: false }),
  hosts: optional(list(host)),
  extra: optional(map(union(text(), number()))),
  parent: nullable(object({ id: count() }, undefined, { open: true })),
});
const least = { name: 'a', parent: null };

function issuesOf(schema: Schema, value: unknown, form?: 'data' | 'file' | 'words'): string[] {
  const reading = read(schema, value, form);
  return reading.ok ? [] : reading.issues.map(({ path, message }) => `${pathText(path)} ${message}`);
}

function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

function circular(): unknown {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

describe('the type that a schema gives', () => {
  it('has the fields with a default, and may lack the optional ones', () => {
    expectTypeOf<Infer<typeof order>>().toEqualTypeOf<{
      readonly name: string;
      readonly level: 'low' | 'high';
      readonly amount?: number | undefined;
      readonly tags: readonly string[];
      readonly rush: boolean;
      readonly hosts?: readonly { host: string }[] | undefined;
      readonly extra?: Readonly<Record<string, string | number>> | undefined;
      readonly parent: { readonly id: number } | null;
    }>();
    expectTypeOf<Infer<typeof level>>().toEqualTypeOf<'low' | 'high'>();
    expectTypeOf<Infer<ReturnType<typeof anything>>>().toBeUnknown();
  });
});

describe('reading a value', () => {
  it('fills in what has a default, and leaves out what is optional', () => {
    expect(read(order, least)).toEqual({ ok: true, value: { ...least, level: 'low', tags: [], rush: false } });
  });

  it('gives what a parser makes of a value, and what it says against it', () => {
    expect(read(order, { ...least, hosts: ['b.example'] })).toMatchObject({
      value: { hosts: [{ host: 'b.example' }] },
    });
    const reading = read(order, { ...least, hosts: ['b.example', 'x'] });
    const issue = { path: ['hosts', 1], message: '"x" is not a host', remedy: 'Write it like "a.example".' };
    expect(reading).toMatchObject({ ok: false, issues: [issue] });
    expect(issuesOf(order, { ...least, hosts: [5] })).toEqual(['hosts[0] must be a string, not 5']);
  });

  it('reports all problems at once, each with its place', () => {
    const wrong = { name: '', level: 'medium', amount: 1.5, tags: ['a', 1], rush: 'true', nam: 1, extra: { a: null } };
    expect(issuesOf(order, wrong)).toEqual([
      'nam unknown key "nam"',
      'name cannot be empty',
      'level must be one of low, high, not "medium"',
      'amount must be a whole number from 1 to 9, not 1.5',
      'tags[1] must be a string, not 1',
      'rush must be true or false, not "true"',
      'extra.a must be a string or a number, not null',
      'parent is missing',
    ]);
  });

  it('leaves out the unknown keys of an open object', () => {
    expect(read(order, { ...least, parent: { id: 1, more: 2 } })).toMatchObject({ value: { parent: { id: 1 } } });
  });

  it.each<[string, Schema, unknown, string]>([
    ['a list that is none', list(text()), {}, 'must be a list of strings, not {}'],
    ['a list of other things', list(count()), 'a', 'must be a list, not "a"'],
    ['a blank text', text('', { blank: false }), ' ', 'cannot be blank'],
    ['a text that is too long', text('', { max: 2 }), 'abc', 'must be a string of 0 to 2 characters, not "abc"'],
    ['a number below the least', count(), -1, 'must be a whole number of at least 0, not -1'],
    ['a number above the most', number('', { max: 1 }), 2, 'must be a number of at most 1, not 2'],
    ['a number that is none', number(), Number.NaN, 'must be a number, not null'],
    ['another literal', literal('a'), 'b', 'must be "a", not "b"'],
    ['a day where an object should be', object({}), new Date(0), 'must be an object, not "1970-01-01T00:00:00.000Z"'],
    ['a key that every object has', object({}), JSON.parse('{"__proto__":1}'), 'unknown key "__proto__"'],
  ])('refuses %s', (_, schema, value, message) => {
    expect(read(schema, value)).toMatchObject({ ok: false, issues: [{ message }] });
  });

  it('reads texts where values can only be given as text', () => {
    const value = { name: '5', amount: '7', rush: 'yes', tags: 'one', parent: null };
    const expected = { name: '5', amount: 7, rush: true, tags: ['one'], level: 'low' };
    const withoutParent = object({ ...order.fields, parent: optional(order.fields.parent) });
    expect(read(withoutParent, value, 'words')).toEqual({ ok: true, value: expected });
    expect(issuesOf(order, { ...least, amount: '7' })).toEqual(['amount must be a whole number from 1 to 9, not "7"']);
    expect(issuesOf(integer(), '1e3', 'words')).toEqual([' must be a whole number, not "1e3"']);
  });

  it('lets a person write one value for a list of one where that is said, and calls an object a table', () => {
    expect(read(list(text(), '', { single: true }), 'one', 'file')).toEqual({ ok: true, value: ['one'] });
    expect(read(list(text()), 'one', 'file')).toMatchObject({ issues: [{ remedy: 'Write it like ["one", "two"].' }] });
    expect(issuesOf(order, [], 'file')).toEqual([' must be a table, not []']);
    expect(issuesOf(integer(), '5', 'file')).toEqual([' must be a whole number, not "5"']);
  });

  it('never reports more than a hundred problems', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, at]));
    expect(issuesOf(object({}), many)).toHaveLength(100);
    expect(issuesOf(list(host), Array.from({ length: 5000 }).fill(1))).toHaveLength(100);
  });

  it('stops at the hundredth problem, or at the first where one is asked for', () => {
    const parse = vi.fn((name: string) => problem(`"${name}" is not a host`, ''));
    const names = list(parsedBy(text(), parse));
    const many = Array.from({ length: 5000 }, (_, at) => `${at}`);
    const looked = (schema: Schema, value: unknown, most?: number): [issues: number, looks: number] => {
      parse.mockClear();
      const reading = read(schema, value, 'data', most);
      return [reading.ok ? 0 : reading.issues.length, parse.mock.calls.length];
    };
    expect(looked(names, many)).toEqual([100, 100]);
    expect(looked(names, many, 1)).toEqual([1, 1]);
    expect(looked(map(names), { a: many, b: many })).toEqual([100, 100]);
    expect(looked(object({ a: names, b: names }), { a: many.slice(0, 60), b: many })).toEqual([100, 100]);
    expect(looked(object({ a: names }), { c: 1, a: many }, 1)).toEqual([1, 0]);
    expect(looked(union(names, names), many)).toEqual([1, 2]);
  });

  it('builds no message beyond those it reports', () => {
    const written = vi.fn(() => 'x');
    const items = Array.from({ length: 5000 }, () => ({ toJSON: written }));
    const table = Object.fromEntries(items.entries());
    expect(issuesOf(list(text()), items)).toHaveLength(100);
    expect(written).toHaveBeenCalledTimes(100);
    expect(issuesOf(map(text()), table)).toHaveLength(100);
    expect(written).toHaveBeenCalledTimes(200);
    const sought = vi.fn(() => undefined);
    const none = { ...object({}), fields: new Proxy({}, { getOwnPropertyDescriptor: sought }) };
    expect(issuesOf(none, table)).toHaveLength(100);
    expect(sought).toHaveBeenCalledTimes(100);
  });

  it.each<[string, unknown, string]>([
    ['a list thousands of levels deep', nested(6000), 'a list'],
    ['an object that holds itself', circular(), 'an object'],
    ['a list that holds itself', [circular()], 'a list'],
    ['a number that JSON does not have', { a: 1n }, 'an object'],
    ['such a number alone', 1n, '1'],
    ['a list that is too long to be shown', Array.from({ length: 1000 }).fill(0), 'a list'],
    ['a short list', [1, 'a'], '[1,"a"]'],
    ['a text that is too long to be shown', ['x'.repeat(1000)], `["${'x'.repeat(77)}…`],
  ])('says what was found instead of a text: %s', (_, value, found) => {
    expect(issuesOf(text(), value)).toEqual([` must be a string, not ${found}`]);
  });

  it('never throws, and gives a value only where nothing is wrong', () => {
    const awkward = fc.constantFrom<unknown>(nested(6000), circular(), [circular()], { a: 1n }, new Date(Number.NaN));
    const anyValue = fc.anything({
      ...{ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true },
      ...{ withSparseArray: true, withNullPrototype: true, withObjectString: true, maxDepth: 5 },
    });
    const fields = fc.dictionary(fc.constantFrom(...Object.keys(order.fields), 'other'), fc.oneof(awkward, anyValue));
    const values = fc.oneof(anyValue, awkward, fields);
    fc.assert(
      fc.property(values, fc.constantFrom<Form>('data', 'file', 'words'), (value, form) => {
        const reading = read(order, value, form);
        return reading.ok ? typeof reading.value.name === 'string' : reading.issues.length > 0;
      }),
    );
  });
});

describe('the JSON Schema of a schema', () => {
  it('says what the reader asks for', () => {
    expect(toJsonSchema(order)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'Whose it is.' },
        level: { type: 'string', enum: ['low', 'high'], description: 'How much.', default: 'low' },
        amount: { type: 'integer', minimum: 1, maximum: 9, description: 'How many.' },
        tags: { type: 'array', items: { type: 'string' }, description: 'Words for it.', default: [] },
        rush: { type: 'boolean', description: 'At once.', default: false },
        hosts: { type: 'array', items: { type: 'string' } },
        extra: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
        parent: {
          anyOf: [
            { type: 'object', properties: { id: { type: 'integer', minimum: 0 } }, required: ['id'] },
            { type: 'null' },
          ],
        },
      },
      required: ['name', 'parent'],
      additionalProperties: false,
    });
    expect(toJsonSchema(time('Then.'))).toEqual({ type: 'string', format: 'date-time', description: 'Then.' });
    expect(toJsonSchema(map(anything(), 'Open.'))).toEqual({ type: 'object', description: 'Open.' });
    expect(toJsonSchema(literal(null))).toEqual({ const: null });
  });

  it('refers to what has a name, where references are asked for', () => {
    expect(toJsonSchema(list(level), '#/$defs/')).toEqual({ type: 'array', items: { $ref: '#/$defs/Level' } });
    expect(toJsonSchema(level, '#/$defs/')).toMatchObject({ enum: ['low', 'high'] });
  });
});

it('the expectation of a schema continues "must be"', () => {
  expect(expectedOf(nullable(count()))).toBe('a whole number of at least 0 or null');
});
