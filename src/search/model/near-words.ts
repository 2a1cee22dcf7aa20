import { createNumbers } from '../text/numbers.ts';
import { createWordTable } from '../text/word-table.ts';
import { createSheet } from '../vectors/sheet.ts';
import type { Table } from './table.ts';
import { eachToken, modelTokens, mostTokens, tokenOf } from './tokens.ts';

/** Measures how much of a question some texts say together, in the same words or in near ones. */
export type NearWords = (texts: readonly string[]) => NearWordShares;

/** Shares of a question, from 0 to 1. */
interface NearWordShares {
  readonly said: number;
  /**
   * Share of what the question asks for besides the one word that is said best. Any text has a word in common with some
   * question about something else, and rarely two.
   */
  readonly besides: number;
}

const nothing: NearWordShares = { said: 0, besides: 0 };

/**
 * Cosine from which two words mean the same as far as a question goes: words of another language are hardly ever
 * nearer.
 */
const nearEnough = 0.55;
/** Words of a question that are compared: one with more is a document, and those that say the most stand for it. */
const mostAsked = 32;
/** Number of texts whose words are cached: the same skills are among the first hits again and again. */
const mostTexts = 1 << 14;

/** Number of words that are held for comparison. */
const mostWords = 1 << 16;

interface AskedWord {
  readonly token: string;
  readonly weight: number;
}

/**
 * Compares each word of the question with each word of the texts, of which the nearest counts. The embedding of a whole
 * text cannot tell whether one word of the question is missing from it; this can, and it works across languages.
 */
export function createNearWords(table: Table): (question: string) => NearWords {
  const vocabulary = createVocabulary(table);
  const { sheet } = vocabulary;
  /** Question that words are compared with at present. First hits say much the same: each word is compared once. */
  let last: readonly AskedWord[] | undefined;

  function makeRoom(): void {
    if (!vocabulary.isFull) return;
    vocabulary.clear();
    last = undefined;
  }

  function begin(question: readonly AskedWord[]): void {
    makeRoom();
    if (last === question) return;
    sheet.ask(Int32Array.from(question, ({ token }) => vocabulary.numberOf(token)));
    last = question;
  }

  /** Lists the words of some texts to be compared, and returns how many there are. */
  function list(texts: readonly string[]): number {
    let count = 0;
    for (const text of texts) {
      if (count === mostTokens) break;
      const words = vocabulary.wordsOf(text);
      const fitting = words.length > mostTokens - count ? words.subarray(0, mostTokens - count) : words;
      sheet.list.set(fitting, count);
      count += fitting.length;
    }
    return count;
  }

  return (text) => {
    makeRoom();
    const question = askedWords(text, vocabulary);
    const all = question.reduce((sum, { weight }) => sum + weight, 0);
    return (texts) => {
      begin(question);
      const count = list(texts);
      if (all === 0 || count === 0) return nothing;
      const nearest = sheet.nearest(count);
      let said = 0;
      for (let at = 0; at < nearest.length; at++) {
        said += (question[at] as AskedWord).weight * Math.min(1, (nearest[at] as number) / nearEnough);
      }
      return { said: asInUsualText(said / all, count), besides: besidesBest(question, nearest) };
    };
  };
}

/** Weight from which a word asks for something; lighter ones are particles. */
const leastWeight = 0.9;
/** Cosine that the nearest word of any text has to a word by chance, and the one from which it says that word. */
const [byChance, surely] = [0.2, 0.7] as const;

/** Measures what is said of a question, heaviest word first, besides the word that is said best; of a single word, that. */
function besidesBest(question: readonly AskedWord[], nearest: Float32Array): number {
  const heavy = question.findIndex(({ weight }) => weight < leastWeight);
  const count = heavy < 2 ? question.length : heavy;
  let [all, said, best, bestWeight] = [0, 0, 0, 0];
  for (let at = 0; at < count; at++) {
    const { weight } = question[at] as AskedWord;
    const near = Math.max(0, Math.min(1, ((nearest[at] as number) - byChance) / (surely - byChance)));
    all += weight;
    said += weight * near;
    if (at === 0 || weight * near > best) [best, bestWeight] = [weight * near, weight];
  }
  return count === 1 ? said / all : (said - best) / (all - bestWeight);
}

type Vocabulary = ReturnType<typeof createVocabulary>;

/** Numbers the words of texts and questions from 0 on, and holds their embeddings. */
function createVocabulary(table: Table) {
  const { dimensions } = table;
  const sheet = createSheet({ rows: mostWords, list: mostTokens, asked: mostAsked }, dimensions);
  const { rows, inverses } = sheet;
  const numbers = new Map<string, number>();
  const texts = new Map<string, Int32Array>();
  const weights = new Float32Array(mostWords);
  let size = 0;
  /** Words as they are written, and the numbers of their tokens: nearly all words of a text were seen before. */
  let written = createWordTable();
  let writtenNumbers = createNumbers();
  /** Number of the last text in which each word stands. */
  const lastTexts = new Int32Array(mostWords);
  let text = 0;

  /** The number of a word; −1 for one without an embedding. */
  function numberOf(word: string): number {
    const before = numbers.get(word);
    if (before !== undefined) return before;
    const from = size * dimensions;
    const worth = table.write(word, rows, from);
    let squares = 0;
    for (let at = from; at < from + dimensions; at++) squares += (rows[at] as number) ** 2;
    inverses[size] = 1 / Math.sqrt(squares);
    weights[size] = worth * Math.sqrt(squares);
    const number = weights[size] === 0 ? -1 : size++;
    numbers.set(word, number);
    return number;
  }

  const found = new Int32Array(mostTokens);
  return {
    numberOf,
    sheet,
    /** Weight of each word: the longer training has made its vector, the more it says. */
    weights,
    /** Whether a question, or the words of some texts, might not find room. */
    get isFull() {
      const areMany = size + mostAsked + 2 * mostTokens > mostWords || writtenNumbers.length > 2 * mostWords;
      return areMany || texts.size > mostTexts;
    },
    clear() {
      numbers.clear();
      texts.clear();
      size = 0;
      written = createWordTable();
      writtenNumbers = createNumbers();
    },
    /** The numbers of the words of a text, each once. */
    wordsOf(given: string): Int32Array {
      const before = texts.get(given);
      if (before !== undefined) return before;
      text++;
      let count = 0;
      eachToken(given, (units, from, to, isSigns) => {
        const place = written.numberOf(units, from, to, isSigns ? 1 : 0);
        if (place === writtenNumbers.length) writtenNumbers.push(numberOf(tokenOf(units, from, to, isSigns)));
        const number = writtenNumbers.values[place] as number;
        if (number === -1 || lastTexts[number] === text) return;
        lastTexts[number] = text;
        found[count++] = number;
      });
      const words = found.slice(0, count);
      texts.set(given, words);
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

/** The words of a question that say the most. */
function askedWords(question: string, vocabulary: Vocabulary): AskedWord[] {
  return [...new Set(modelTokens(question))]
    .map((token) => ({ token, number: vocabulary.numberOf(token) }))
    .filter(({ number }) => number !== -1)
    .map(({ token, number }) => ({ token, weight: vocabulary.weights[number] as number }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostAsked);
}
