import type { Lexicon } from '../text/lexicon.ts';
import { compatible, eachRun } from '../text/runs.ts';
import { gramsOf } from './grams.ts';

/** What its SKILL.md says of one skill, by field. */
export interface SkillText {
  /** The name of its folder and its full name, a line each. */
  readonly names: string;
  readonly description: string;
  readonly metadata: string;
  readonly body: string;
}

/** What is searched of one skill, by field. */
export interface IndexedText extends SkillText {
  /** Of each of its tools the name and what it does. */
  readonly tools: string;
}

export type FieldName = keyof IndexedText;

/** One skill as an index keeps it. */
export interface IndexedDocument {
  readonly key: Uint8Array;
  /** The terms of the skill, by their numbers in a lexicon … */
  readonly terms: Int32Array;
  /** … and how much each says about it, from 1 to 255. */
  readonly impacts: Uint8Array;
  /** Its direction, of length 1; null where nothing embeds it. */
  readonly vector: Float32Array | null;
  readonly grams: Uint8Array;
}

/**
 * BM25F: mentions are weighted by the field they stand in, added up, and only then flattened, so that a word in the
 * name and in the description counts more than once and the tenth mention in the body hardly at all. Lengths are
 * measured against fixed ones, not against the average of a collection: what a skill scores then depends on nothing
 * but itself, and a new neighbour changes no entry.
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
export const flatness = 2;
/** Of a body that goes on for megabytes the beginning says what it is about. */
const mostUnits = 128 * 1024;

/** The terms of one field, and what a mention in it weighs. */
export interface FieldTerms {
  readonly terms: readonly number[];
  readonly weight: number;
}

export function termsOfField(field: FieldName, given: string, lexicon: Lexicon): FieldTerms {
  const text = compatible(given.slice(0, mostUnits));
  const terms: number[] = [];
  const add = (numbers: readonly number[]) => {
    for (const number of numbers) terms.push(number);
  };
  eachRun(text, {
    word: (from, to, hump) => add(lexicon.word(text, from, to, hump)),
    ideographs: (from, to) => add(lexicon.signs(text.slice(from, to))),
  });
  const { weight, usual } = fields[field];
  return { terms, weight: weight / (1 - lengthShare + (lengthShare * terms.length) / usual) };
}

/** From 0 to 1: how much a term says, given the weight of its mentions. */
export function flattened(weight: number): number {
  return weight / (weight + flatness);
}

/** The weights of terms while they are added up, by number: zero again for all when a document is done. */
let weights = new Float64Array(1 << 16);

export function documentOf(
  key: Uint8Array,
  text: IndexedText,
  vector: Float32Array | null,
  lexicon: Lexicon,
): IndexedDocument {
  const met: number[] = [];
  for (const field of fieldNames) {
    const { terms, weight } = termsOfField(field, text[field], lexicon);
    if (lexicon.size > weights.length) weights = withRoom(weights, lexicon.size);
    for (const term of terms) {
      if (weights[term] === 0) met.push(term);
      weights[term] = (weights[term] as number) + weight;
    }
  }
  const impacts = new Uint8Array(met.length);
  met.forEach((term, at) => {
    impacts[at] = Math.max(1, Math.round(flattened(weights[term] as number) * 255));
    weights[term] = 0;
  });
  // The exact search, which asks for these, does not look at tools.
  const { tools: _tools, ...exact } = text;
  return { key, terms: Int32Array.from(met), impacts, vector, grams: gramsOf(Object.values(exact)) };
}

function withRoom(numbers: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(size, numbers.length * 2));
  larger.set(numbers);
  return larger;
}
