import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { correction } from './spelling.ts';
import { openTable } from './table.ts';

const table = openTable(readFileSync(new URL('../../../assets/skill-vectors-128d-q4.bin', import.meta.url)));

it.each([
  ['incidnet', 'incident'],
  ['timline', 'timeline'],
  ['outtage', 'outage'],
  ['Embbedings', undefined],
  ['simlarity', 'similarity'],
  ['kichen', 'kitchen'],
  ['databasf', 'database'],
])('the typing error in %s is corrected where there is one', (written, meant) => {
  expect(correction(table, written)).toBe(meant);
});

it('spelling leaves known words, short words, other scripts and words near to none alone', () => {
  for (const word of ['incident', 'teh', '合并文件', 'größe', 'zqxwvkj', '', 'x'.repeat(5000)]) {
    expect(correction(table, word), word.slice(0, 20)).toBeUndefined();
  }
});
