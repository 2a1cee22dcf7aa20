import { withRoom } from '../text/numbers.ts';
import { createSheet } from '../vectors/scan.ts';
import { lengthOf } from './embed.ts';
import type { Row, Table } from './table.ts';
import { modelTokens, mostTokens } from './tokens.ts';

/** Measures how much of a question some texts say together, in the same words or in near ones, from 0 to 1. */
export type NearWords = (texts: readonly string[]) => number;

/**
 * Cosine from which two words mean the same as far as a question goes: words of another language are hardly ever
 * nearer.
 */
const nearEnough = 0.55;
/** Words of a question that are compared: one with more is a document, and those that say the most stand for it. */
const mostAsked = 32;
/** Number of texts whose words are cached: the same skills are among the first hits again and again. */
const mostTexts = 4096;

interface AskedWord {
  readonly row: Int16Array;
  /** Length of the row, by which an inner product with it becomes a cosine. */
  readonly length: number;
  readonly weight: number;
}

/**
 * Compares each word of the question with each word of the texts, of which the nearest counts. The embedding of a whole
 * text cannot tell whether one word of the question is missing from it; this can, and it works across languages.
 */
export function createNearWords(table: Table): (question: string) => NearWords {
  const sheet = createSheet(mostTokens, table.dimensions);
  const rows = new Int32Array(sheet.rows.buffer, sheet.rows.byteOffset, sheet.rows.length / 4);
  const lengths = new Float32Array(mostTokens);
  const met = new Int32Array(mostTokens);
  let vocabulary = createVocabulary(table);
  // Cache of what the last question was compared with. First hits say much the same, in the same words: each word is
  // compared once, whatever number of texts has it.
  let last: object | undefined;
  /** Column of each word of the vocabulary, from 1 on; 0 for what was not compared yet. */
  let columns: Int32Array = new Int32Array(1024);
  /** Nearness of a word to each word of the question, column by column. */
  let nearness: Float64Array = new Float64Array(1024);
  let compared = 0;

  function begin(asked: readonly AskedWord[]): void {
    if (last === asked) return;
    if (vocabulary.texts > mostTexts) vocabulary = createVocabulary(table);
    columns.fill(0);
    [last, compared] = [asked, 0];
  }

  /** Records the columns of the words of some texts; returns how many there are, and how many of them are new. */
  function meet(texts: readonly string[]): [count: number, fresh: number] {
    let [count, fresh] = [0, 0];
    for (const text of texts) {
      const words = vocabulary.wordsOf(text);
      if (vocabulary.size > columns.length) columns = withRoom(columns, new Int32Array(vocabulary.size * 2));
      for (let at = 0; at < words.length && count < mostTokens; at++) {
        const word = words[at] as number;
        if (columns[word] === 0) {
          table.unpack(vocabulary.rows[word] as Row, rows, (fresh * table.dimensions) / 4);
          lengths[fresh++] = vocabulary.lengths[word] as number;
          columns[word] = compared + fresh;
        }
        met[count++] = (columns[word] as number) - 1;
      }
    }
    return [count, fresh];
  }

  function compare(asked: readonly AskedWord[], fresh: number): void {
    const width = asked.length;
    const room = (compared + fresh) * width;
    if (room > nearness.length) nearness = withRoom(nearness, new Float64Array(room * 2));
    for (let at = 0; at < width && fresh > 0; at++) {
      const products = sheet.scan((asked[at] as AskedWord).row, fresh);
      for (let other = 0; other < fresh; other++) {
        nearness[(compared + other) * width + at] = (products[other] as number) / (lengths[other] as number);
      }
    }
    compared += fresh;
  }

  /** Finds, for each word of the question, how near the nearest of all recorded words comes. */
  function takeNearest(count: number, nearest: Float64Array): void {
    nearest.fill(0);
    for (let at = 0; at < count; at++) {
      const from = (met[at] as number) * nearest.length;
      for (let one = 0; one < nearest.length; one++) {
        const near = nearness[from + one] as number;
        if (near > (nearest[one] as number)) nearest[one] = near;
      }
    }
  }

  return (question) => {
    const asked = askedWords(table, question);
    const all = asked.reduce((sum, { weight }) => sum + weight, 0);
    const nearest = new Float64Array(asked.length);
    return (texts) => {
      begin(asked);
      const [count, fresh] = meet(texts);
      compare(asked, fresh);
      takeNearest(count, nearest);
      let said = 0;
      for (let one = 0; one < nearest.length; one++) {
        const { length, weight } = asked[one] as AskedWord;
        said += weight * Math.min(1, (nearest[one] as number) / length / nearEnough);
      }
      return all === 0 || count === 0 ? 0 : asInUsualText(said / all, count);
    };
  };
}

/** Numbers the words of texts from 0 on, each with its row of the table. */
function createVocabulary(table: Table) {
  const numbers = new Map<string, number>();
  const rows: Row[] = [];
  const lengths: number[] = [];
  const known = new Map<string, Int32Array>();

  /** The number of a word; -1 for one without an embedding. */
  function numberOf(word: string): number {
    const before = numbers.get(word);
    if (before !== undefined) return before;
    const row = table.rowOf(word);
    const length = table.lengthOf(row);
    numbers.set(word, length > 0 ? rows.length : -1);
    if (length === 0) return -1;
    lengths.push(length);
    return rows.push(row) - 1;
  }

  return {
    rows,
    lengths,
    get size() {
      return rows.length;
    },
    get texts() {
      return known.size;
    },
    /** The numbers of the words of a text, each once. */
    wordsOf(text: string): Int32Array {
      const before = known.get(text);
      if (before !== undefined) return before;
      const words = Int32Array.from(new Set(modelTokens(text)), numberOf).filter((word) => word !== -1);
      known.set(text, words);
      return words;
    },
  };
}

/**
 * Expected nearness by chance: the more words a text has, the nearer the nearest of them is to a word of any question.
 * Measured on questions and texts that have nothing to do with each other.
 */
const usual = { words: 40, chance: 0.37 } as const;
const chanceGrowth = 0.1;

/** Converts a value to that of a text of the usual length which is as much better than chance. */
function asInUsualText(said: number, words: number): number {
  const chance = usual.chance + chanceGrowth * Math.log(words / usual.words);
  return Math.max(0, 1 - ((1 - said) * (1 - usual.chance)) / (1 - chance));
}

/**
 * The words of a question with their weights: the longer training has made the vector of a word, the more the word
 * says.
 */
function askedWords(table: Table, question: string): AskedWord[] {
  const unpacked = new Int32Array(table.dimensions / 4);
  const words: AskedWord[] = [];
  for (const token of new Set(modelTokens(question))) {
    const row = table.rowOf(token);
    const length = table.lengthOf(row);
    if (length === 0) continue;
    table.unpack(row, unpacked, 0);
    words.push({
      row: new Int16Array(new Int8Array(unpacked.buffer)),
      length,
      weight: lengthOf(table.sumOf([token])),
    });
  }
  return words.sort((a, b) => b.weight - a.weight).slice(0, mostAsked);
}
