import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolsIn } from './tools.ts';

const one = (parameter: object) =>
  JSON.stringify([{ name: 't', description: 'd', parameters: [{ name: 'p', ...parameter }] }]);
const schemaOf = (parameter: object) => {
  const [tool] = toolsIn(one(parameter));
  return (tool?.parameters as { properties: Record<string, unknown> } | undefined)?.properties['p'];
};

describe('the tools of a component', () => {
  it.each([
    ['string', { type: 'string' }],
    ['secret', { type: 'string' }],
    ['file', { type: 'string' }],
    ['number', { type: 'number' }],
    ['boolean', { type: 'boolean' }],
    ['array', { type: 'array' }],
    ['json', {}],
    ['something new', {}],
  ])('have parameters of type %s', (paramType, schema) => {
    expect(schemaOf({ paramType })).toEqual(schema);
    expect(schemaOf({ param_type: paramType })).toEqual(schema);
    expect(schemaOf({ 'param-type': paramType })).toEqual(schema);
  });

  it('have defaults of the right type, which come as text', () => {
    expect(schemaOf({ paramType: 'number', defaultValue: '3' })).toEqual({ type: 'number', default: 3 });
    expect(schemaOf({ paramType: 'boolean', defaultValue: 'true' })).toEqual({ type: 'boolean', default: true });
    expect(schemaOf({ paramType: 'string', defaultValue: '3' })).toEqual({ type: 'string', default: '3' });
    expect(schemaOf({ paramType: 'array', defaultValue: 'oops' })).toEqual({ type: 'array', default: 'oops' });
    expect(schemaOf({ paramType: 'string', defaultValue: null })).toEqual({ type: 'string' });
  });

  it('say which parameters they must have', () => {
    const answer = JSON.stringify({ ok: [{ name: 't', parameters: [{ name: 'a', required: true }, { name: 'b' }] }] });
    expect(toolsIn(answer)).toMatchObject([{ name: 't', description: '', parameters: { required: ['a'] } }]);
  });

  it('are an error where the component gives no valid list', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.constant('[{}]'), fc.constant('[{"name":""}]')), (answer) => {
        try {
          expect(Array.isArray(toolsIn(answer))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ name: 'SkillError', code: 'unreadable' });
        }
      }),
      { numRuns: 100 },
    );
  });
});
