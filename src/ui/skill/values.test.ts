import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../engine/operations/running/tools.ts';
import type { ReadOutput } from '../../engine/operations/skills/read.ts';
import { foreign, foreignCut } from '../parts/words.ts';
import { joined, parametersOf, readParts, shortDigest } from './values.ts';

test('parameters are told briefly', () => {
  const schema = {
    required: ['form'],
    properties: {
      form: { type: 'string', description: 'The file.' },
      mode: { enum: ['flat', 'open'] },
      pages: { type: 'array', items: { type: 'integer' } },
      any: {},
    },
  };
  expect(parametersOf(schema)).toEqual([
    { name: 'form', type: 'string', isRequired: true, description: 'The file.' },
    { name: 'mode', type: '"flat" | "open"', isRequired: false, description: '' },
    { name: 'pages', type: 'list of integer', isRequired: false, description: '' },
    { name: 'any', type: 'any', isRequired: false, description: '' },
  ]);
});

test('no schema is too odd to be shown', () => {
  const odd = fc.record({ properties: fc.jsonValue(), required: fc.jsonValue() });
  fc.assert(
    fc.property(odd, (schema) => {
      for (const { type, description } of parametersOf(schema as JsonSchema)) {
        expect([typeof type, typeof description]).toEqual(['string', 'string']);
      }
    }),
    { numRuns: 200 },
  );
});

test('digests are cut for the eye', () => {
  expect(shortDigest(`sha256:${'0123456789abcdef'.repeat(4)}`)).toBe('0123456789ab');
});

test('text of strangers cannot turn around, or hide a control', () => {
  expect(foreign('a\u202eb\u0000c\u001b[31m\td\r\ne')).toBe('a\ufffdb\ufffdc\ufffd[31m\td\ne');
  expect(foreign('a\u200bb\u{e0041}c')).toBe('a\ufffdb\ufffdc');
  expect(foreignCut('abcdef', 3)).toBe('abc…');
  expect(foreignCut('a😀', 2)).toBe('a\ufffd…');
});

test('a file is read part by part, and never for ever', async () => {
  const base = { skill: 's', path: 'p', mimeType: 'text/plain', size: 3, encoding: 'utf8' } as const;
  const readAt = async (offset: number): Promise<ReadOutput> => ({
    ...base,
    content: 'abc'[offset] ?? '',
    nextOffset: offset < 2 ? offset + 1 : null,
  });
  expect(joined(await readParts(readAt, 2))).toBe('ab');
  expect(joined(await readParts(readAt, 9))).toBe('abc');
  const stuck = async (): Promise<ReadOutput> => ({ ...base, content: 'x', nextOffset: 0 });
  expect(joined(await readParts(stuck, 9))).toBe('x');
});
