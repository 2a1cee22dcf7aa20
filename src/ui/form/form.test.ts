import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonSchema } from '../../engine/operations/running/tools.ts';
import { checkParameters } from '../../run/tools/parameters/parameters.ts';
import { problemsIn, rootId } from './checks.ts';
import { type Draft, draftFromJson, type Field, prefilled, valueIn } from './drafts.ts';
import { formOf } from './schema.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): JsonSchema =>
  ({ type: 'object', properties, ...more }) as JsonSchema;

const kindsOf = (schema: JsonSchema): readonly string[] => formOf(schema).members.map(({ field }) => field.kind);

function begun(schema: JsonSchema) {
  const form = formOf(schema);
  const draft = prefilled(form, 'required');
  return {
    form,
    draft,
    value: valueIn(form, draft, 'required'),
    problems: problemsIn(form, draft, 'required', rootId),
  };
}

/** The messages about a draft of a single parameter. */
function wrongWith(part: Record<string, unknown>, draft: Draft): readonly string[] {
  const form = formOf(object({ it: part }, { required: ['it'] }));
  return problemsIn(form, [draft], 'required', rootId).map(({ message }) => message);
}

describe('the form of a schema', () => {
  it('has a control for each kind of value', () => {
    const schema = object({
      name: { type: 'string' },
      level: { enum: ['low', 3, null] },
      count: { type: 'integer' },
      share: { type: 'number' },
      wide: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      filter: { type: 'object', properties: { id: { type: 'integer' } } },
      free: { type: 'object' },
      any: {},
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      mixed: { type: ['string', 'integer'] },
      rows: { type: 'array', items: { type: 'object', properties: { a: {} } } },
      fixed: { const: 5 },
    });
    expect(kindsOf(schema).join(' ')).toBe(
      'text choice number number switch list group json json json json json choice',
    );
  });

  it('follows references, and sees through what only allows null', () => {
    const schema = object(
      {
        size: { $ref: '#/$defs/size', description: 'Own words.' },
        maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        nullable: { type: ['string', 'null'] },
        wrapped: { allOf: [{ $ref: '#/$defs/size' }], default: 4 },
        out: { $ref: 'https://example.com/schema.json' },
        none: { $ref: '#/$defs/none' },
      },
      { $defs: { size: { type: 'integer', maximum: 9, description: 'Theirs.' } } },
    );
    expect(kindsOf(schema)).toEqual(['number', 'number', 'text', 'number', 'json', 'json']);
    expect(formOf(schema).members[0]?.field).toMatchObject({ max: 9, description: 'Own words.' });
  });

  it('gives texts of several lines the room they need', () => {
    const schema = object({
      stdin: { type: 'string' },
      note: { type: 'string', default: 'a\nb' },
      essay: { type: 'string', maxLength: 5000 },
      name: { type: 'string' },
    });
    const isLong = formOf(schema).members.map(({ field }) => field.kind === 'text' && field.isLong);
    expect(isLong).toEqual([true, true, true, false]);
  });

  it('begins with defaults, and with examples where something is required', () => {
    const { value, problems } = begun(
      object(
        {
          resource: { type: 'string', examples: ['pods'] },
          name: { type: 'string', examples: ['web-1'] },
          count: { type: 'integer', default: 3 },
          wide: { type: 'boolean', default: true },
          tags: { type: 'array', items: { type: 'string' }, default: ['a', ''] },
          only: { const: 'v1' },
          filter: { type: 'object', properties: { depth: { type: 'integer', default: 1 } } },
        },
        { required: ['resource', 'only'] },
      ),
    );
    expect(value).toEqual({ resource: 'pods', count: 3, wide: true, tags: ['a', ''], only: 'v1' });
    expect(problems).toEqual([]);
  });

  it('leaves out what is optional and empty, and says what is missing', () => {
    const parts = { a: { type: 'string' }, b: { type: 'integer' }, c: { enum: ['x', 'y'] }, d: { type: 'boolean' } };
    expect(begun(object(parts))).toMatchObject({ value: {}, problems: [] });
    const { value, problems } = begun(object(parts, { required: ['a', 'b', 'c', 'd'] }));
    expect(value).toEqual({ d: false });
    expect(problems.map(({ id, isMissing }) => [id, isMissing])).toEqual([
      ['param-0', true],
      ['param-1', true],
      ['param-2', true],
    ]);
  });

  it('says what is wrong with what was put in', () => {
    expect(wrongWith({ type: 'integer' }, '1.5')).toEqual(['Write a whole number.']);
    expect(wrongWith({ type: 'integer' }, '0x10')).toEqual(['Write a whole number.']);
    expect(wrongWith({ type: 'number' }, 'much')).toEqual(['Write a number.']);
    expect(wrongWith({ type: 'number', minimum: 2, maximum: 3 }, '1')).toEqual(['It must be at least 2.']);
    expect(wrongWith({ type: 'number', minimum: 2, maximum: 3 }, '4')).toEqual(['It must be at most 3.']);
    expect(wrongWith({ type: 'number', exclusiveMinimum: 2 }, '2')).toEqual(['It must be more than 2.']);
    expect(wrongWith({ type: 'number', multipleOf: 0.1 }, '0.3')).toEqual([]);
    expect(wrongWith({ type: 'number', multipleOf: 5 }, '7')).toEqual(['It must be a multiple of 5.']);
    expect(wrongWith({ type: 'string', minLength: 2 }, '😀')).toEqual(['It must have at least 2 characters.']);
    expect(wrongWith({ type: 'string', maxLength: 1 }, '😀')).toEqual([]);
    expect(wrongWith({ type: 'string', maxLength: 1 }, 'ab')[0]).toContain('at most 1 characters');
    expect(wrongWith({ type: 'string', pattern: '^[a-z]+$' }, 'A')[0]).toContain('^[a-z]+$');
    expect(wrongWith({ type: 'string', pattern: '^[a-z]+$' }, 'a')).toEqual([]);
    expect(wrongWith({}, '{')[0]).toContain('not JSON');
    const list = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2, uniqueItems: true };
    expect(wrongWith(list, [])).toEqual(['It must have at least 1 items.']);
    expect(wrongWith(list, ['1', '2', '3'])).toEqual(['It must have at most 2 items.']);
    expect(wrongWith(list, ['1', '1'])).toEqual(['It must not have the same item twice.']);
    expect(wrongWith(list, ['1', 'x'])).toEqual(['Write a whole number.']);
  });

  it('asks for what is required in a group only once somebody fills it in', () => {
    const filter = {
      type: 'object',
      properties: { id: { type: 'integer' }, by: { type: 'string' } },
      required: ['id'],
    };
    const form = formOf(object({ filter }));
    expect(problemsIn(form, [['', '']], 'required', rootId)).toEqual([]);
    expect(problemsIn(form, [['', 'me']], 'required', rootId).map(({ id }) => id)).toEqual(['param-0-0']);
    expect(valueIn(form, [['', '']], 'required')).toEqual({});
    expect(valueIn(form, [['7', '']], 'required')).toEqual({ filter: { id: 7 } });
  });
});

describe('JSON that is turned into a form', () => {
  const form = formOf(
    object({
      name: { type: 'string' },
      tags: { type: 'array', items: { enum: ['a', { b: 1, c: 2 }] } },
      wide: { type: 'boolean' },
      any: {},
    }),
  );

  it('comes back the same', () => {
    const values = { name: 'x', tags: ['a', { c: 2, b: 1 }], wide: false, any: [null, { deep: [1] }] };
    const draft = draftFromJson(form, values);
    expect(draft && valueIn(form, draft, 'required')).toEqual(values);
  });

  it.each([
    ['a member it does not know', { other: 1 }],
    ['a value of another type', { name: 5 }],
    ['a value that is not among the choices', { tags: ['z'] }],
    ['a line break where there is one line', { name: 'a\nb' }],
    ['what it would leave out', { name: '' }],
    ['no object', [1]],
  ])('stays JSON with %s', (_, value) => {
    expect(draftFromJson(form, value as Json)).toBeNull();
  });
});

describe('schemas of strangers', () => {
  it('that lead to themselves end', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, other: { $ref: '#/$defs/node' } } };
    const schema = object(
      { tree: { $ref: '#/$defs/node' }, loop: { $ref: '#/$defs/loop' }, all: { $ref: '#' } },
      {
        $defs: { node, loop: { $ref: '#/$defs/loop' } },
      },
    );
    expect(kindsOf(schema)).toEqual(['group', 'json', 'group']);
    expect(countOf(formOf(schema))).toBeLessThan(200);
  });

  it('with ten thousand parameters are cut, and the rest is counted', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, place) => [`p${place}`, { type: 'string' }]));
    const form = formOf(object(many));
    expect(form.members.length + form.more).toBe(10_000);
    expect(form.members.length).toBeLessThan(200);
    expect(draftFromJson(form, { p9999: 'x' })).toBeNull();
  });

  it('that are nested deeply become JSON', () => {
    let part: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 500; depth++) part = { type: 'object', properties: { in: part } };
    expect(countOf(formOf(object({ deep: part })))).toBeLessThan(20);
  });

  it('with huge choices become a text', () => {
    const huge = Array.from({ length: 20_000 }, (_, place) => `v${place}`);
    expect(kindsOf(object({ text: { enum: huge }, mixed: { enum: [1, ...huge] } }))).toEqual(['text', 'json']);
  });

  it('may call parameters what they like', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":{}},"required":["__proto__"]}',
    ) as JsonSchema;
    const form = formOf(schema);
    const value = valueIn(form, ['x', '5', ''], 'required');
    expect(JSON.stringify(value)).toBe('{"__proto__":"x","constructor":5}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(draftFromJson(form, JSON.parse('{"__proto__":"y"}') as Json)).toEqual(['y', '', '']);
    expect(draftFromJson(form, {})).toEqual(['', '', '']);
  });

  it('with defaults of the wrong type begin empty, and script is but text', () => {
    const script = '<img src=x onerror=alert(1)>';
    const { value } = begun(
      object({
        count: { type: 'integer', default: 'many' },
        level: { enum: ['a'], default: 'b' },
        wide: { type: 'boolean', default: 'yes' },
        tags: { type: 'array', items: { type: 'string' }, default: { length: 3 } },
        filter: { type: 'object', properties: { a: { type: 'string' } }, default: 5 },
        text: { type: 'string', default: script, description: 7, title: [], examples: 'x', pattern: 1, minLength: '3' },
      }),
    );
    expect(value).toEqual({ text: script });
  });

  it('an expression that never ends is left to the server', () => {
    const slow = `${'a'.repeat(60)}!`;
    for (const pattern of ['^(a+)+$', '^(a|a)*$', 'a?'.repeat(30) + 'a'.repeat(30), '(?=a*)*b', '(a*)\\1*b', '(']) {
      expect(wrongWith({ type: 'string', pattern }, slow)).toEqual([]);
    }
  });

  it('whatever a schema is, there is a form, and what it gives fits the types and requirements it has', () => {
    const keyword = fc.constantFrom(
      'type',
      'enum',
      'default',
      'items',
      'properties',
      'required',
      '$ref',
      'anyOf',
      'minLength',
    );
    const wild = fc.dictionary(keyword, fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 5 }), wild, { maxKeys: 5 }),
        fc.array(fc.string()),
        (parts, required) => {
          const { value, form } = begun(object(parts, { required }));
          expect(Object.keys(value as object).every((name) => Object.hasOwn(parts, name))).toBe(true);
          expect(draftFromJson(form, value as Json)).not.toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('what a form without problems gives is what the server takes', () => {
    const part = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.constantFrom(0, 2), maxLength: fc.constantFrom(3, 400) }),
      fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer({ min: -3, max: 3 }) }),
      fc.record({
        enum: fc.uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 4 }),
      }),
      fc.constant({ type: 'boolean' }),
      fc.record({
        type: fc.constant('array'),
        items: fc.constantFrom({ type: 'string' }, { type: 'integer' }),
        minItems: fc.constantFrom(0, 1),
      }),
      fc.constant({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['b'] }),
    );
    const name = fc.constantFrom('a', 'b', 'stdin', 'limit', 'x-y');
    const texts = fc.array(fc.constantFrom('', '0', '1', '2', '-7', '1.5', 'yes', 'no', 'abc', '😀'), {
      minLength: 30,
      maxLength: 30,
    });
    let fitting = 0;
    fc.assert(
      fc.property(fc.dictionary(name, part), fc.subarray(['a', 'b', 'stdin']), texts, (parts, wanted, typed) => {
        const schema = object(parts, {
          required: wanted.filter((one) => Object.hasOwn(parts, one)),
          additionalProperties: false,
        });
        const form = formOf(schema);
        const draft = typedInto(form, [...typed]);
        if (problemsIn(form, draft, 'required', rootId).length > 0) return;
        fitting++;
        const value = valueIn(form, draft, 'required') as Record<string, unknown>;
        expect(checkParameters(schema, value)).toEqual(value);
      }),
      { numRuns: 400 },
    );
    expect(fitting).toBeGreaterThan(40);
  });
});

/** Types texts into the controls, one after the other, as far as a control accepts them. */
function typedInto(field: Field, texts: string[]): Draft {
  if (field.kind === 'group') return field.members.map((member) => typedInto(member.field, texts));
  const text = texts.pop() ?? '';
  if (field.kind === 'list') return text === '' ? [] : [typedInto(field.item, texts), typedInto(field.item, texts)];
  if (field.kind === 'choice') return Number(text) in field.choices && text !== '' ? String(Number(text)) : '';
  return field.kind === 'switch' && !['yes', 'no'].includes(text) ? '' : text;
}

function countOf(field: Field): number {
  return field.kind === 'group' ? 1 + field.members.reduce((sum, member) => sum + countOf(member.field), 0) : 1;
}
