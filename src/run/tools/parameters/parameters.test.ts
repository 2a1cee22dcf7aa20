import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillError } from '../../../core/errors.ts';
import type { Json } from '../../../skill/types.ts';
import type { JsonSchema } from '../types.ts';
import { checkParameters, coerceParameters } from './parameters.ts';
import { schemaProblem } from './schema-check.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    resource: { type: 'string', enum: ['pods', 'nodes'], description: 'What to get.' },
    count: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    name: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
    wide: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    filter: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
  required: ['resource'],
  additionalProperties: false,
};

function failure(values: never): SkillError {
  try {
    checkParameters(schema, values);
  } catch (error) {
    if (error instanceof SkillError) return error;
  }
  throw new Error('nothing was wrong');
}

describe('the parameters of a call', () => {
  it('are filled in where there are defaults', () => {
    expect(checkParameters(schema, { resource: 'pods' })).toEqual({ resource: 'pods', count: 3 });
    expect(checkParameters(schema, { resource: 'pods', count: 5, wide: null })).toEqual({ resource: 'pods', count: 5 });
  });

  it('that match none of several forms are answered with all of them', () => {
    const shape = (name: string, val?: JsonSchema): JsonSchema => ({
      type: 'object',
      properties: { tag: { const: name }, ...(val !== undefined && { val }) },
      required: ['tag', ...(val === undefined ? [] : ['val'])],
    });
    const forms: JsonSchema = {
      type: 'object',
      properties: {
        shape: { oneOf: [shape('none'), shape('circle', { type: 'number' }), shape('at', { type: 'array' })] },
        label: { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
      },
    };
    const wrong = { shape: { tag: 'square' }, label: 5 };
    expect(() => checkParameters(forms, wrong)).toThrow(
      'shape must be exactly one of: {"tag": "none"} or {"tag": "circle", "val": a number} or {"tag": "at", "val": a list}; ' +
        'label must be a, b or null',
    );
  });

  it('are refused with the reason where the schema does not allow them [C4-TOOLS-05]', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    const cases: readonly (readonly [unknown, string])[] = [
      [{}, 'resource is missing (What to get.)'],
      [{ resource: 'pots' }, 'resource must be one of pods, nodes'],
      [{ resource: 5 }, 'resource must be a string, and is a number'],
      [{ resource: 'pods', count: 11 }, 'count must be 10 at most'],
      [{ resource: 'pods', count: 1.5 }, 'count must be a whole number, and is a number with a fraction'],
      [{ resource: 'pods', name: 'A' }, 'name must'],
      [{ resource: 'pods', labels: ['a', 3] }, 'labels[1] must be a string'],
      [{ resource: 'pods', labels: ['a', 'b', 'c'] }, 'labels must have 2 items at most'],
      [{ resource: 'pods', filter: {} }, 'filter.id is missing'],
      [{ resource: 'pods', conut: 1 }, '"conut" is not a parameter of this tool; did you mean count?'],
      [JSON.parse('{"resource":"pods","__proto__":{"a":1}}'), 'is not a parameter of this tool'],
      [{ resource: 'pods', filter: deep }, '"filter" is nested more than 100 levels deep'],
    ];
    for (const [values, message] of cases) {
      const error = failure(values as never);
      expect(error.code).toBe('usage');
      expect(error.message).toContain(message);
      expect(error.hint).toContain('resource');
    }
    expect(failure({ resource: 'pods', conut: 1 } as never).suggestions).toEqual(['count']);
  });

  it('several things wrong are all named', () => {
    const { message } = failure({ resource: 'pods', count: 0, labels: 'x' } as never);
    expect(message).toContain('count');
    expect(message).toContain('labels');
  });

  it('values are not repeated in error messages', () => {
    expect(failure({ resource: 'hunter2' } as never).message).not.toContain('hunter2');
  });

  it('unknown parameters are accepted where the schema says so', () => {
    const open: JsonSchema = { type: 'object', properties: {}, additionalProperties: { type: 'integer' } };
    expect(checkParameters(open, { any: 1 })).toEqual({ any: 1 });
    expect(() => checkParameters(open, { any: 'x' })).toThrow('any must be a whole number');
  });

  it('references are followed', () => {
    const linked: JsonSchema = {
      type: 'object',
      properties: { size: { $ref: '#/$defs/size' } },
      $defs: { size: { type: 'integer', maximum: 3 } },
    };
    expect(() => checkParameters(linked, { size: 4 })).toThrow('size must be 3 at most');
  });

  it('an endless pattern is broken off, wherever it stands', () => {
    const evil: JsonSchema = { type: 'string', pattern: '^(a+)+$' };
    const text = `${'a'.repeat(40)}!`;
    const held = { type: 'object', properties: { inner: evil } };
    for (const [schema, value] of [
      [evil, text],
      [{ type: 'array', items: evil }, [text]],
      [held, { inner: text }],
      [{ type: 'object', additionalProperties: evil }, { any: text }],
      [{ anyOf: [evil] }, text],
    ] as readonly (readonly [JsonSchema, Json])[]) {
      const tool: JsonSchema = { type: 'object', properties: { value: schema } };
      expect(() => checkParameters(tool, { value })).toThrow('took too long');
    }
  });

  it('whatever is given, the outcome is values that fit or an error for people', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('resource', 'count', 'name', 'filter', 'x'), fc.jsonValue()),
        (values) => {
          try {
            expect(['pods', 'nodes']).toContain(checkParameters(schema, values as never)['resource']);
          } catch (error) {
            expect(error).toBeInstanceOf(SkillError);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('schemas that cannot be used', () => {
  it.each([
    [{ $ref: 'https://example.com/schema.json' }, 'leads out'],
    [{ $ref: 'other.json#/x' }, 'leads out'],
    [{ $id: 'https://example.com/' }, 'not supported'],
    [{ properties: { a: { pattern: '(' } } }, 'not a regular expression'],
    [{ $ref: '#/$defs/none' }, 'cannot be used'],
    [{ $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 'cannot be used'],
  ])('%j', (part, message) => {
    expect(schemaProblem({ type: 'object', ...part } as never)?.message).toContain(message);
  });

  it('one whose parts name each other again and again, by their number and not by the clock', () => {
    const doubled = (depth: number): JsonSchema => ({
      type: 'object',
      allOf: [{ $ref: '#/$defs/a0' }],
      $defs: Object.fromEntries(
        Array.from({ length: depth }, (_, at) => {
          const next = { $ref: `#/$defs/a${at + 1}` };
          return [`a${at}`, at + 1 === depth ? {} : { anyOf: [{ not: next }, next] }];
        }),
      ),
    });
    expect(schemaProblem(doubled(60))?.message).toContain('too long to check');
    expect(schemaProblem(doubled(5))).toBeNull();
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(schemaProblem(tree)).toBeNull();
  });

  it('a parameter may be called pattern', () => {
    expect(schemaProblem({ type: 'object', properties: { pattern: { type: 'string' } } })).toBeNull();
  });
});

describe('texts of a command line', () => {
  it('become what the schema asks for', () => {
    const given: [string, string][] = [
      ['resource', 'pods'],
      ['count', '7'],
      ['wide', 'yes'],
      ['labels', 'a'],
      ['labels', 'b,c'],
      ['filter', '{"id":1}'],
      ['other', '5'],
    ];
    expect(coerceParameters(schema, given)).toEqual({
      resource: 'pods',
      count: 7,
      wide: true,
      labels: ['a', 'b,c'],
      filter: { id: 1 },
      other: '5',
    });
    expect(coerceParameters(schema, [['labels', 'a,b']])).toEqual({ labels: ['a,b'] });
    expect(coerceParameters(schema, [['labels', '["a","b"]']])).toEqual({ labels: ['a', 'b'] });
    expect(coerceParameters(schema, [['labels', '[draft']])).toEqual({ labels: ['[draft'] });
    expect(coerceParameters(schema, [['constructor', 'x']])).toEqual({ constructor: 'x' });
  });

  it('stay texts where they are nothing else, for the check to say so', () => {
    const given: [string, string][] = [
      ['count', 'many'],
      ['wide', 'perhaps'],
    ];
    expect(coerceParameters(schema, given)).toEqual({ count: 'many', wide: 'perhaps' });
  });
});
