import { describe, expect, it } from 'vitest';
import { hasCommas, spaceSeparated, toolsOf } from './fields.ts';

describe('the tools that are allowed', () => {
  it.each([
    ['Read Write', ['Read', 'Write']],
    ['Read, Write,', ['Read', 'Write']],
    ['Bash(git log:*, npm:*), Read', ['Bash(git log:*, npm:*)', 'Read']],
    ['Bash(git log:*) Read', ['Bash(git log:*)', 'Read']],
    [
      ['Read', ' Bash(a b) '],
      ['Read', 'Bash(a b)'],
    ],
    ['', []],
  ])('are read from %j', (value, tools) => {
    expect(toolsOf(value)).toEqual(tools);
  });

  it.each([[null], [1], [{ a: 'b' }], [['Read', 1]], ['Bash(git'], ['Bash)(']])('cannot be read from %j', (value) => {
    expect(toolsOf(value)).toBeNull();
  });

  it('know whether commas part them', () => {
    expect([hasCommas('a, b'), hasCommas('a,'), hasCommas('A(b, c)'), hasCommas('a b')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('are not written where a blank would tear one apart', () => {
    expect(spaceSeparated(['Read', 'Bash(a b)'])).toBe('Read Bash(a b)');
    expect(spaceSeparated(['Web Search'])).toBeNull();
    expect(spaceSeparated(['Bash(git'])).toBeNull();
  });
});
