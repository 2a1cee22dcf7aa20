import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../core/text/diff.ts';
import { type DiffRow, hunksIn, rowsBetween, stretchesOf } from './diff-rows.ts';

/** A side of a diff, put together again. */
function sideOf(rows: readonly DiffRow[], side: 'old' | 'fresh'): string {
  return rows
    .flatMap(({ [side]: line }) => (line === null ? [] : [line]))
    .map(({ pieces, end }) => pieces.map(({ text }) => text).join('') + end)
    .join('');
}

const written = ({ old, fresh, isChanged }: DiffRow) => [isChanged, old?.number ?? null, fresh?.number ?? null];
const lines = fc.array(fc.constantFrom('a b\n', 'a c\n', 'd\n', '\n', '- x\n', '@@ y\n', 'd\r\n'), { maxLength: 12 });

describe('the rows of a diff', () => {
  it('put together, are the two texts', () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (before, after, isUnended) => {
        const [one, other] = [before.join(''), after.join('') + (isUnended ? 'end' : '')];
        const rows = rowsBetween(one, other);
        expect([sideOf(rows, 'old'), sideOf(rows, 'fresh')]).toEqual([one, other]);
        expect(stretchesOf(rows).flatMap((stretch) => stretch.rows)).toEqual(rows);
      }),
    );
  });

  it('count the lines of each side', () => {
    expect(rowsBetween('a\nb\nc\n', 'a\nx\ny\nc\n').map(written)).toEqual([
      [false, 1, 1],
      [true, 2, 2],
      [true, null, 3],
      [false, 3, 4],
    ]);
  });

  it('mark the words that differ, in lines that share most', () => {
    const [row] = rowsBetween('name: old tool\n', 'name: new tool\n');
    const marked = [row?.old, row?.fresh].map((line) => line?.pieces.filter(({ isMarked }) => isMarked));
    expect(marked).toEqual([[{ text: 'old', isMarked: true }], [{ text: 'new', isMarked: true }]]);
    const [other] = rowsBetween('one thing\n', 'something else entirely\n');
    expect(other?.old?.pieces).toEqual([{ text: 'one thing', isMarked: false }]);
  });

  it('are bounded: a line is cut, and texts without anything in common are not compared for long', () => {
    const [row] = rowsBetween(`${'x'.repeat(100_000)}\n`, 'y\n');
    expect(row?.old?.pieces[0]?.text.length).toBeLessThan(2100);
    const many = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}\n`).join('');
    expect(rowsBetween(many('a'), many('b'))).toHaveLength(20_000);
  });

  it('far from any change are folded', () => {
    const text = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('');
    const stretches = stretchesOf(rowsBetween(text, text.replace('line 20\n', 'line twenty\n')));
    expect(stretches.map(({ isFolded, rows }) => [isFolded, rows.length])).toEqual([
      [true, 17],
      [false, 7],
      [true, 16],
    ]);
  });
});

describe('the hunks of a diff that is given as text', () => {
  it('are what the texts themselves give, where something changes', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [one, other] = [before.join(''), after.join('')];
        const changed = (rows: readonly DiffRow[]) => rows.filter(({ isChanged }) => isChanged);
        const hunks = hunksIn(unifiedDiff(one, other, 'SKILL.md'));
        expect(hunks.flatMap(({ rows }) => changed(rows))).toEqual(changed(rowsBetween(one, other)));
        expect(hunks[0]?.file ?? 'SKILL.md').toBe('SKILL.md');
      }),
    );
  });

  it('tell a text that ends without a line end', () => {
    const [hunk] = hunksIn(unifiedDiff('a\n', 'a', 'x'));
    expect(hunk?.rows.map(({ old, fresh }) => [old?.end, fresh?.end])).toEqual([['\n', '']]);
  });

  it('are none in what is no diff', () => {
    expect(hunksIn('')).toEqual([]);
    expect(hunksIn('no\n+diff\n-at all\n')).toEqual([]);
  });
});
