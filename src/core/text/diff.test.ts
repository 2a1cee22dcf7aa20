import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergedText, unifiedDiff } from './diff.ts';

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

describe('two changes to a text', () => {
  const base = '1\n2\n3\n4\n5\n';

  it.each([
    ['in different places are both taken', '0\n1\n2\n3\n4\n5\n', '1\n2\n3\n4\nfive\n', '0\n1\n2\n3\n4\nfive\n'],
    ['that are the same are taken once', '1\n2\nx\n4\n5\n', '1\n2\nx\n4\n5\n', '1\n2\nx\n4\n5\n'],
    ['of which one takes lines away', '1\n5\n', '1\n2\n3\n4\n5\n6\n', '1\n5\n6\n'],
  ])('%s', (_what, mine, theirs, text) => {
    expect(mergedText(base, mine, theirs, 'mine')).toEqual({ text, conflicts: 0 });
  });

  it('to the same lines are a conflict, and one of them is preferred', () => {
    const [mine, theirs] = ['1\n2\nmine\n4\n5\n6\n', '1\n2\ntheirs\n4\n5\n'];
    expect(mergedText(base, mine, theirs, 'mine')).toEqual({ text: mine, conflicts: 1 });
    expect(mergedText(base, mine, theirs, 'theirs')).toEqual({ text: '1\n2\ntheirs\n4\n5\n6\n', conflicts: 1 });
  });

  it('are one of them where the other changes nothing, and preferring decides about conflicts alone', () => {
    const texts = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { maxLength: 12 }).map((lines) => lines.join(''));
    fc.assert(
      fc.property(texts, texts, texts, (old, one, other) => {
        expect(mergedText(old, one, old, 'theirs')).toEqual({ text: one, conflicts: 0 });
        expect(mergedText(old, old, other, 'mine')).toEqual({ text: other, conflicts: 0 });
        const [mine, theirs] = [mergedText(old, one, other, 'mine'), mergedText(old, one, other, 'theirs')];
        expect(mine.conflicts).toBe(theirs.conflicts);
        if (mine.conflicts === 0) expect(mine.text).toBe(theirs.text);
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

describe('a diff whose new side ends first', () => {
  it('adds no lines that nobody wrote', () => {
    const [before, after] = ['- x\na c\na b\n- x\n', 'd\nd\n1\n2\n- x\na c\n'];
    expect(unifiedDiff(before, after, 'f')).toBe(
      '--- f\n+++ f\n@@ -1,4 +1,6 @@\n+d\n+d\n+1\n+2\n - x\n a c\n-a b\n-- x\n',
    );
    expect(mergedText(before, after, before, 'theirs')).toEqual({ text: after, conflicts: 0 });
  });
});
