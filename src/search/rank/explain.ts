import { choice, type Infer, nullable, number, object, optional, text } from '../../core/schema/schema.ts';
import { type FieldName, fieldNames, flattened, type IndexedText, k1, termsOfField } from '../index/document.ts';
import { createLexicon } from '../text/lexicon.ts';
import { type Collection, holdersOf } from './collection.ts';
import type { Candidate } from './expand.ts';
import { idfOf, leastSaid, saidBy, type WordMatch } from './words.ts';

/** Contribution of one word of the query to the score of one skill, by field. */
export const wordSchema = object({
  written: text('As written in the query.'),
  word: text('Its stem.'),
  as: nullable(text(), 'The term of the skill that it matched.'),
  by: nullable(choice<Candidate['by']>(['word', 'beginning', 'typo'])),
  rarity: number('The logarithm of how many skills there are for each that holds it.'),
  // Parts of the score by words, by field; they add up to the whole of it.
  fields: object({
    names: optional(number()),
    description: optional(number()),
    metadata: optional(number()),
    tools: optional(number()),
    body: optional(number()),
  } satisfies Record<FieldName, unknown>),
});
export type WordExplanation = Infer<typeof wordSchema>;

type Weights = Record<FieldName, number>;

/** Recomputes, from the text of a skill, where its score by words comes from. */
export function explainWords(
  collection: Collection,
  text: IndexedText,
  matches: readonly WordMatch[],
  whole: number,
): WordExplanation[] {
  const weights = weightsIn(text);
  return matches.map(({ written, word, worth, found }) => {
    let best = { score: 0, one: undefined as Candidate | undefined };
    for (const one of found) {
      const fields = weights.get(one.term);
      if (fields === undefined) continue;
      const rarity = rarityOf(collection, one.term);
      const said = Math.max(saidBy(flattened(total(fields))), leastSaid(collection, rarity));
      const score = one.share * rarity * (k1 + 1) * said;
      if (score > best.score) best = { score, one };
    }
    const { score, one } = best;
    if (one === undefined) return { written, word, as: null, by: null, rarity: worth / (k1 + 1), fields: {} };
    const fields = weights.get(one.term) as Weights;
    const parts = fieldNames
      .filter((field) => fields[field] > 0)
      .map((field) => [field, ((score / whole) * fields[field]) / total(fields)]);
    return {
      written,
      word,
      as: one.term,
      by: one.by,
      rarity: rarityOf(collection, one.term),
      fields: Object.fromEntries(parts),
    };
  });
}

function rarityOf(collection: Collection, term: string): number {
  return idfOf(collection, holdersOf(collection, term).count);
}

function weightsIn(text: IndexedText): Map<string, Weights> {
  const lexicon = createLexicon();
  const weights = new Map<string, Weights>();
  for (const field of fieldNames) {
    const { terms, weight } = termsOfField(field, text[field], lexicon);
    for (const number of terms) {
      const term = lexicon.termOf(number);
      const fields = weights.get(term) ?? { names: 0, description: 0, metadata: 0, tools: 0, body: 0 };
      fields[field] += weight;
      weights.set(term, fields);
    }
  }
  return weights;
}

function total(fields: Weights): number {
  return fieldNames.reduce((sum, field) => sum + fields[field], 0);
}
