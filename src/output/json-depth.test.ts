import { expect, it } from 'vitest';
import { isNestedTooDeeply } from './json-depth.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

it('tells what could be read and never written again', () => {
  expect(isNestedTooDeeply(nested(1000))).toBe(false);
  expect(isNestedTooDeeply(nested(1001))).toBe(true);
  expect(isNestedTooDeeply(`${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`)).toBe(true);
});

it('counts no brackets in texts, and none that are closed', () => {
  expect(isNestedTooDeeply(JSON.stringify(['\\"', '['.repeat(5000), '"'.repeat(3)]))).toBe(false);
  expect(isNestedTooDeeply(`[${Array(5000).fill('[]').join(',')}]`)).toBe(false);
});
