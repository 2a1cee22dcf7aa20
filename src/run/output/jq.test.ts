import { expect, it } from 'vitest';
import { createJq, type JqAnswer, NotJson } from './jq.ts';

/** A jq that prints the same whatever it is asked, and ends by whether it was asked to run. */
function printing(stderr: string, ends: { filter: number; empty: number; running: number }) {
  return createJq((input, filter): JqAnswer => {
    const exitCode = input === '' ? ends.filter : filter === 'empty' ? ends.empty : ends.running;
    return { stdout: '', stderr, exitCode };
  });
}

it('a failure of jq is classified by its exit code, not by what it prints', () => {
  for (const said of ['jq: parse error: x', 'jq: error: x', 'jq: error (at x): x', 'x']) {
    expect(() => printing(said, { filter: 3, empty: 0, running: 3 })('.', '1')).toThrow('is not valid: ');
    expect(() => printing(said, { filter: 0, empty: 5, running: 5 })('.', '1')).toThrow(NotJson);
    for (const running of [1, 2, 3, 5])
      expect(() => printing(said, { filter: 0, empty: 0, running })('.', '1')).toThrow('The jq filter failed: ');
  }
});

it('more jq results than fit into memory are refused', () => {
  const jq = createJq((input) => ({ stdout: '1\n'.repeat(input.length - 1) + 1, stderr: '', exitCode: 0 }));
  expect(jq('.', ' '.repeat(4_000_000))).toHaveLength(4_000_000);
  expect(() => jq('.', ' '.repeat(4_000_001))).toThrow('The jq filter failed: the results are too many');
});
