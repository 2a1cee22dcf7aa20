import { createSheet } from '../vectors/scan.ts';
import type { Table } from './table.ts';
import { modelTokens, mostTokens } from './tokens.ts';

/** Tells how much of a question is said by some texts together, in the same words or in near ones, from 0 to 1. */
export type NearWords = (texts: readonly string[]) => number;

/** Two words that are so near mean the same as far as a question goes: words of another language are hardly ever nearer. */
const nearEnough = 0.55;
/** A question of more words is a document; those that say the most stand for it. */
const mostAsked = 32;
/** The words of so many texts are remembered: the same skills are among the first hits again and again. */
const mostTexts = 4096;

interface AskedWord {
  readonly row: Int16Array;
  /** Of the row, so that a product with it can be told as a cosine. */
  readonly length: number;
  readonly weight: number;
}

/**
 * Each word of the question is compared with each word of the texts, and the nearest one counts. A direction of a whole
 * text cannot tell whether one word of the question is missing from it; this can, and it works across languages.
 */
export function createNearWords(table: Table): (question: string) => NearWords {
  const { dimensions } = table;
  const sheet = createSheet(mostTokens, dimensions);
  const lengths = new Float32Array(mostTokens);
  const known = new Map<string, readonly (number | Int8Array)[]>();

  /** The rows of the words of a text: their numbers in the table, and for words that it lacks what stands for them. */
  function rowsOf(text: string): readonly (number | Int8Array)[] {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= mostTexts) known.clear();
    const rows = [...new Set(modelTokens(text))].map((token) => table.rowOf(token));
    known.set(text, rows);
    return rows;
  }

  function spread(texts: readonly string[]): number {
    let count = 0;
    for (const text of texts) {
      for (const row of rowsOf(text)) {
        if (count === mostTokens) return count;
        const length = table.unpack(row, sheet.rows, count * dimensions);
        if (length > 0) lengths[count++] = length;
      }
    }
    return count;
  }

  return (question) => {
    const asked = askedWords(table, question);
    const all = asked.reduce((sum, { weight }) => sum + weight, 0);
    return (texts) => {
      const count = spread(texts);
      let said = 0;
      for (const { row, length, weight } of asked) {
        const products = sheet.scan(row, count);
        let nearest = 0;
        for (let at = 0; at < count; at++) {
          nearest = Math.max(nearest, (products[at] as number) / (lengths[at] as number));
        }
        said += weight * Math.min(1, nearest / length / nearEnough);
      }
      return all === 0 || count === 0 ? 0 : asInUsualText(said / all, count);
    };
  };
}

/**
 * What texts about anything say of a question in near words: the more words a text has, the nearer the nearest of them
 * is by chance. Measured on questions and texts that have nothing to do with each other.
 */
const usual = { words: 40, chance: 0.37 } as const;
const chanceGrowth = 0.1;

/** What a text of the usual length would say that is as much better than chance. */
function asInUsualText(said: number, words: number): number {
  const chance = usual.chance + chanceGrowth * Math.log(words / usual.words);
  return Math.max(0, 1 - ((1 - said) * (1 - usual.chance)) / (1 - chance));
}

/** The longer training has made the vector of a word, the more the word says. */
function askedWords(table: Table, question: string): AskedWord[] {
  const bytes = new Int8Array(table.dimensions);
  const words: AskedWord[] = [];
  for (const token of new Set(modelTokens(question))) {
    const length = table.unpack(table.rowOf(token), bytes, 0);
    const weight = Math.hypot(...table.sumOf([token]));
    if (length > 0) words.push({ row: Int16Array.from(bytes), length, weight });
  }
  return words.sort((a, b) => b.weight - a.weight).slice(0, mostAsked);
}
