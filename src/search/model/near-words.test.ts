import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createNearWords } from './near-words.ts';
import { openTable } from './table.ts';

const table = openTable(readFileSync(new URL('../../../assets/skill-vectors-128d-q4.bin', import.meta.url)));
const shares = createNearWords(table);
const nearWords = (question: string) => (texts: readonly string[]) => shares(question)(texts).said;
const merging = ['pdf-merge', 'Merges PDF files.'] as const;
const rollout = ['cluster-rollout', 'Rolls out a new version of a Kubernetes deployment.'] as const;

describe('the near words of a question', () => {
  it('are all there where a text has the words themselves', () => {
    expect(nearWords('merge PDF files')(merging)).toBeCloseTo(1, 5);
    expect(nearWords('files')(['', 'files'])).toBeCloseTo(1, 5);
  });

  it('are found in other words, and in those of another language', () => {
    for (const question of ['combine documents', '合并PDF文件', 'Dateien zusammenführen', 'fusionner des fichiers']) {
      const near = nearWords(question);
      expect(near(merging), question).toBeGreaterThan(near(rollout) + 0.1);
    }
  });

  it('are fewer where one word of a question has nothing near it', () => {
    const whole = nearWords('merge PDF files')(merging);
    expect(nearWords('merge PDF files in a Kubernetes deployment')(merging)).toBeLessThan(whole - 0.1);
  });

  it('count for less in a longer text, where something is near to everything, unless they are the very words', () => {
    const near = nearWords('combine documents');
    const longer = [...merging, ...rollout, 'Writes release notes, resizes pictures and counts the words of an essay.'];
    expect(near(longer)).toBeLessThan(near(merging) - 0.05);
    expect(nearWords('merge PDF files')(longer)).toBeCloseTo(1, 5);
  });

  it('are counted besides the best of them: one word in common is no more than any text has', () => {
    const besides = (question: string) => shares(question)(merging).besides;
    expect(besides('merge PDF files')).toBeCloseTo(1, 5);
    expect(besides('do penguins merge with goldfish')).toBeLessThan(0.1);
    expect(besides('merge')).toBeCloseTo(1, 5);
    expect(besides('penguins')).toBeLessThan(0.2);
    expect([besides(''), besides('龘龘')]).toEqual([0, 0]);
  });

  it('are none where there are no words to compare', () => {
    expect(nearWords('')(merging)).toBe(0);
    expect(nearWords('龘龘')(merging)).toBe(0);
    expect(nearWords('merge')(['', ''])).toBe(0);
    expect(nearWords('merge')([])).toBe(0);
  });

  it('are the same whatever was compared before, and however long the texts are', () => {
    const [question, long] = ['merge PDF files', 'word '.repeat(10_000)];
    const before = nearWords(question)(merging);
    for (let at = 0; at < 5000; at++) nearWords('x')([`skill ${at}`]);
    nearWords(long)([long, long]);
    expect(nearWords(question)(merging)).toBe(before);
  });
});
