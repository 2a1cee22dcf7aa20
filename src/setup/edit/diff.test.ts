import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './diff.ts';

describe('a diff', () => {
  it('shows what changes, with three lines around it', () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n';
    const after = '1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n';
    expect(unifiedDiff(before, after, 'a.json')).toBe(
      '--- a.json\n+++ a.json\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -12,3 +12,4 @@\n 12\n 13\n 14\n+15\n',
    );
  });

  it.each([
    ['nothing', 'a\n', 'a\n', ''],
    ['a new file', null, 'a\n', '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n'],
    ['a file that goes', 'a\nb\n', null, '--- f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n'],
    ['a line end', 'a', 'a\n', '--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n'],
  ])('of %s', (_what, before, after, expected) => {
    expect(unifiedDiff(before, after, 'f')).toBe(expected);
  });

  it('of many lines that all differ is made in time', () => {
    const lines = (sign: string) => Array.from({ length: 5000 }, (_, index) => `${sign}${index}\n`).join('');
    expect(unifiedDiff(lines('a'), lines('b'), 'f').split('\n')).toHaveLength(10_004);
  });

  it('leads from the old text to the new one', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '{', '}'), { maxLength: 25 });
    const texts = fc
      .tuple(lines, fc.constantFrom('', 'x'))
      .map(([all, end]) => all.map((line) => `${line}\n`).join('') + end);
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(applied(before, unifiedDiff(before, after, 'f'))).toBe(after);
      }),
    );
  });
});

/** Applies a diff as `patch` does, and checks every number and every line of context. */
function applied(before: string, diff: string): string {
  const old = before.split('\n');
  let [at, text] = [0, ''];
  for (const [, start = '', gone = '1', body = ''] of diff.matchAll(
    /^@@ -(\d+)(?:,(\d+))? [^\n]*\n((?:[^@][^\n]*\n)*)/gm,
  )) {
    const from = gone === '0' ? Number(start) : Number(start) - 1;
    text += old
      .slice(at, from)
      .map((line) => `${line}\n`)
      .join('');
    at = from;
    for (const [, sign = '', line = '', cut] of body.matchAll(/^([ +-])([^\n]*)\n(\\[^\n]*\n)?/gm)) {
      if (sign !== '+') expect(line).toBe(old[at++]);
      if (sign !== '-') text += line + (cut === undefined ? '\n' : '');
    }
    expect(at - from).toBe(Number(gone));
  }
  return text + old.slice(at).join('\n');
}
