import { expect, test } from 'vitest';
import { parseToml } from './parsed-toml.ts';

test('a TOML value thousands of levels deep is refused, with its line, before anything prints it', () => {
  const text = `name = "x"\n${Array(5000).fill('a').join('.')} = 1\n`;
  expect(parseToml(text)).toEqual({
    kind: 'invalid',
    message: 'nested more than 100 levels deep',
    at: { line: 2, column: 1 },
  });
});

test('a TOML value of the maximum depth is read', () => {
  const path = Array(100).fill('a').join('.');
  expect(parseToml(`${path} = 1`).kind).toBe('value');
});

test.each([
  ['a key', (path: string) => `${path} = 1`],
  ['a table', (path: string) => `[${path}]`],
  ['a list of tables', (path: string) => `[[${path}]]`],
])('%s of a hundred thousand parts is refused at once', (_what, write) => {
  const { user } = process.cpuUsage();
  expect(parseToml(`name = "x"\n${write(Array(100_000).fill('a').join('.'))}\n`)).toMatchObject({ at: { line: 2 } });
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(5);
});
