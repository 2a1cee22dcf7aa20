import type { Lexicon } from '../text/lexicon.ts';
import { withRoom } from '../text/numbers.ts';
import { compatible, humpRun, runsIn, signsRun } from '../text/runs.ts';
import { gramsOf } from './grams.ts';

/** The text of one skill's SKILL.md, by field. */
export interface SkillText {
  /** The name of its folder and its full name, a line each. */
  readonly names: string;
  readonly description: string;
  readonly metadata: string;
  readonly body: string;
}

/** The searched text of one skill, by field. */
export interface IndexedText extends SkillText {
  /** Name and description of each of its tools. */
  readonly tools: string;
}

export type FieldName = keyof IndexedText;

/** One skill as an index keeps it. */
export interface IndexedDocument {
  readonly key: Uint8Array;
  /** Terms of the skill, by their numbers in a lexicon. */
  readonly terms: Int32Array;
  /** Weight of each of these terms for the skill, from 1 to 255. */
  readonly impacts: Uint8Array;
  /** Embedding of the skill, of length 1; null where nothing embeds it. */
  readonly vector: Float32Array | null;
  readonly grams: Uint8Array;
}

/**
 * Weights and usual lengths of the fields for BM25F: mentions are weighted by the field they stand in, added up, and
 * only then flattened, so that a word in the name and in the description counts more than once and the tenth mention in
 * the body hardly at all. Lengths are measured against fixed ones, not against the average of a collection: the score
 * of a skill then depends on nothing but itself, and a new neighbour changes no entry.
 */
const fields: Readonly<Record<FieldName, { readonly weight: number; readonly usual: number }>> = {
  names: { weight: 4, usual: 3 },
  description: { weight: 3, usual: 20 },
  metadata: { weight: 1, usual: 10 },
  tools: { weight: 2, usual: 20 },
  body: { weight: 0.3, usual: 600 },
};
export const fieldNames = Object.keys(fields) as readonly FieldName[];
const lengthShare = 0.6;
export const k1 = 2;
/** Code units of a field that are indexed: of a body that goes on for megabytes the beginning says what it is about. */
const mostUnits = 128 * 1024;

/** The terms of one field, and the weight of a mention in it. */
export interface FieldTerms {
  readonly terms: readonly number[];
  readonly weight: number;
}

export function termsOfField(field: FieldName, given: string, lexicon: Lexicon): FieldTerms {
  const terms: number[] = [];
  eachWord(given, lexicon, (word) => {
    for (const term of lexicon.termsOf(word)) terms.push(term);
  });
  return { terms, weight: weightIn(field, terms.length) };
}

/** Visits the numbers of the words of a text, one by one. */
function eachWord(given: string, lexicon: Lexicon, visit: (word: number) => void): void {
  const { count, units, starts, ends, kinds } = runsIn(compatible(given.slice(0, mostUnits)));
  for (let run = 0; run < count; run++) {
    const [from, to, kind] = [starts[run] as number, ends[run] as number, kinds[run] as number];
    if (kind === signsRun) lexicon.signs(units, from, to, visit);
    else visit(lexicon.word(units, from, to, kind === humpRun));
  }
}

/** The weight of a mention in a field with this number of terms. */
function weightIn(field: FieldName, terms: number): number {
  const { weight, usual } = fields[field];
  return weight / (1 - lengthShare + (lengthShare * terms) / usual);
}

/** Flattens the weight of a term's mentions to a value from 0 to 1. */
export function flattened(weight: number): number {
  return weight / (weight + k1);
}

/** Weights of terms while they are added up, by number: all are zero again when a document is done. */
let weights = new Float64Array(1 << 16);
/** Mentions of words in a field while they are counted, by number, in the same way. */
let mentions = new Int32Array(1 << 16);

export function documentOf(
  key: Uint8Array,
  text: IndexedText,
  vector: Float32Array | null,
  lexicon: Lexicon,
): IndexedDocument {
  const met: number[] = [];
  for (const field of fieldNames) addField(field, text[field], lexicon, met);
  const impacts = new Uint8Array(met.length);
  met.forEach((term, at) => {
    impacts[at] = Math.max(1, Math.round(flattened(weights[term] as number) * 255));
    weights[term] = 0;
  });
  // Tools are left out: the exact search, which these trigrams are for, does not search them.
  const { tools: _tools, ...exact } = text;
  return { key, terms: Int32Array.from(met), impacts, vector, grams: gramsOf(Object.values(exact)) };
}

/** Adds up the weights of a field's terms. Each word is processed once, however often it stands there. */
function addField(field: FieldName, text: string, lexicon: Lexicon, met: number[]): void {
  const words: number[] = [];
  eachWord(text, lexicon, (word) => {
    if (word >= mentions.length) mentions = withRoom(mentions, new Int32Array(word * 2));
    const before = mentions[word] as number;
    if (before === 0) words.push(word);
    mentions[word] = before + 1;
  });
  const { starts, terms } = lexicon.wordTerms();
  let length = 0;
  for (const word of words)
    length += (mentions[word] as number) * ((starts[word + 1] as number) - (starts[word] as number));
  const weight = weightIn(field, length);
  if (lexicon.size > weights.length) weights = withRoom(weights, new Float64Array(lexicon.size * 2));
  for (const word of words) {
    const end = starts[word + 1] as number;
    for (let at = starts[word] as number; at < end; at++) {
      const term = terms[at] as number;
      const before = weights[term] as number;
      if (before === 0) met.push(term);
      weights[term] = before + (mentions[word] as number) * weight;
    }
    mentions[word] = 0;
  }
}
