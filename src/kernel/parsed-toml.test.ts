import { expect, test } from 'vitest';
import { parseToml } from './parsed-toml.ts';

test('a value thousands of levels deep is refused, with its line, before anything prints it', () => {
  const text = `name = "x"\n${Array(5000).fill('a').join('.')} = 1\n`;
  expect(parseToml(text)).toEqual({
    kind: 'invalid',
    message: 'nested more than 100 levels deep',
    at: { line: 2, column: 1 },
  });
});

test('a value as deep as a file may be is read', () => {
  const path = Array(100).fill('a').join('.');
  expect(parseToml(`${path} = 1`).kind).toBe('value');
});
