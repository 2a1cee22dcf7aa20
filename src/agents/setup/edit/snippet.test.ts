import { describe, expect, it } from 'vitest';
import { snippetOf } from './edit.ts';

describe('what a person can paste', () => {
  it.each([
    ['json', '{\n  "a": {\n    "b": {\n      "c": ["d"]\n    }\n  }\n}\n'],
    ['toml', '[a.b]\nc = ["d"]\n'],
    ['yaml', 'a:\n  b:\n    c:\n      - d\n'],
  ] as const)('is a whole file in %s', (format, expected) => {
    expect(
      snippetOf(format, [
        { at: ['a', 'b'], value: { c: ['d'] } },
        { at: ['x'], value: undefined },
      ]),
    ).toBe(expected);
  });
});
