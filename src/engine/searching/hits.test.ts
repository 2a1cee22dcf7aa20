import { describe, expect, it } from 'vitest';
import { configurationOf } from '../../core/config/values.ts';
import { blanksFor, commandFor } from './hits.ts';

const blankFor = (schema: object) =>
  blanksFor({ type: 'object', properties: { it: schema } as never, required: ['it'] })['it'];

describe('the blanks of a call', () => {
  it('name a type or the choices, and are filled in where only one value can be meant', () => {
    expect(blankFor({ type: 'string' })).toBe('<string>');
    expect(blankFor({ type: ['integer', 'null'] })).toBe('<integer>');
    expect(blankFor({})).toBe('<value>');
    expect(blankFor({ type: 'array', items: { type: 'number' } })).toEqual(['<number>']);
    expect(blankFor({ type: 'array' })).toEqual(['<value>']);
    expect(blankFor({ enum: ['a', 'b'] })).toBe('<a|b>');
    expect(blankFor({ enum: ['only'] })).toBe('only');
    expect(blankFor({ const: 3 })).toBe(3);
    expect(blankFor({ type: 'boolean', default: false })).toBe(false);
    const many = Array.from({ length: 40 }, (_, at) => `choice-${at}`);
    expect(blankFor({ enum: many })).toMatch(/^<choice-0\|choice-1\|.*\|…>$/);
    expect(JSON.stringify(blankFor({ enum: many })).length).toBeLessThan(70);
  });

  it('are left out for what need not be given', () => {
    expect(blanksFor({ type: 'object', properties: { it: { type: 'string' } } })).toEqual({});
    expect(blanksFor({ type: 'object', required: ['it'] })).toEqual({ it: '<value>' });
  });
});

describe('the command of a call', () => {
  it('quotes what a shell would read, and gives a list value by value', () => {
    const parameters = { title: "it's <string>", tags: ['a', 'b c'], size: 3, deep: { a: 1 } };
    expect(commandFor({ skill: 'plugin:skill', tool: 'run', parameters }, configurationOf({}))).toBe(
      `repertoire run plugin:skill:run --param 'title=it'\\''s <string>' --param tags=a --param 'tags=b c' --param size=3 --param 'deep={"a":1}'`,
    );
  });

  it('repeats the options that say which skills are seen, and no others', () => {
    const given = configurationOf({
      skillDirs: ['/one', '/with blank'],
      scanDefaultDirs: false,
      skipPlugins: false,
      embeddingsUrl: 'http://localhost:1/v1',
      embeddingsKey: 'secret',
      onDuplicate: 'first',
    });
    expect(commandFor({ skill: 'a', tool: 'b', parameters: {} }, given)).toBe(
      "repertoire run a:b --skill-dir /one --skill-dir '/with blank' --no-scan-default-dirs --on-duplicate first",
    );
  });
});
