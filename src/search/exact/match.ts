import type { SlicedTask } from '../../core/time-slice.ts';
import type { SkillText } from '../index/document.ts';
import { gramBytes, gramsOfToken } from '../index/grams.ts';
import { type Automaton, scan } from '../passage/automaton.ts';
import type { Collection } from '../rank/collection.ts';
import { type Folded, foldInSteps, foldText } from '../text/folded.ts';

/** The parts of one skill that are searched, in one form of text or another. */
export type Searchable<Text = string> = Readonly<Record<keyof SkillText, Text>>;

export interface Match {
  /** Number of tokens that occur: all of them, or there is no match. */
  readonly score: number;
  /** Orders matches of one score, by the parts in which the tokens stand and how often. */
  readonly relevance: number;
}

const weights = { names: 8, description: 4, metadata: 2, body: 1 } as const;

/**
 * Mentions and characters that count: a hundredth mention says little more than a tenth, and so does what comes after
 * the first pages.
 */
const mostCounted = 100;
const countedLength = 1 << 16;

export function* foldParts(skill: Searchable): SlicedTask<Searchable<Folded>> {
  return {
    names: yield* foldInSteps(skill.names),
    description: yield* foldInSteps(skill.description),
    metadata: yield* foldInSteps(skill.metadata),
    body: yield* foldInSteps(skill.body),
  };
}

/** Matches a skill that holds every token somewhere; null otherwise. Nothing is guessed. */
export function* matchAll(tokens: Automaton, skill: Searchable<Folded>): SlicedTask<Match | null> {
  const relevances = new Float64Array(tokens.lengths.length);
  for (const part of Object.keys(weights) as (keyof Searchable)[]) {
    const { found, whole } = yield* countIn(tokens, skill[part].text);
    for (const [token, count] of found.entries()) {
      if (count === 0) continue;
      // A name that is the word outweighs one that merely holds it.
      const worth = weights[part] * (whole[token] === 1 ? 1.5 : 1) * (1 + Math.log2(count) / 4);
      relevances[token] = (relevances[token] ?? 0) + worth;
    }
  }
  if (relevances.includes(0)) return null;
  return { score: relevances.length, relevance: relevances.reduce((sum, relevance) => sum + relevance, 0) };
}

interface Counts {
  readonly found: Uint8Array;
  /** Flag by token: 1 for one that stands there as a word of its own. */
  readonly whole: Uint8Array;
}

function* countIn(tokens: Automaton, text: string): SlicedTask<Counts> {
  const { lengths } = tokens;
  const found = new Uint8Array(lengths.length);
  const whole = new Uint8Array(lengths.length);
  yield* scan(tokens, text, (token, end) => {
    const count = (found[token] ?? 0) + 1;
    found[token] = count;
    if (whole[token] === 0 && isWord(text, end - (lengths[token] ?? 0), end)) whole[token] = 1;
    return count < mostCounted && end < countedLength ? 'more' : 'enough';
  });
  return { found, whole };
}

const letter = /[\p{L}\p{N}]/u;

function isWord(text: string, from: number, to: number): boolean {
  return !letter.test(text[from - 1] ?? ' ') && !letter.test(text[to] ?? ' ');
}

/** Creates a test whether a document may hold all tokens. A no is certain; a yes must be verified in the text. */
export function createTrigramFilter({ parts }: Collection, tokens: readonly string[]): (document: number) => boolean {
  const bits = [...new Set(tokens.flatMap(gramsOfToken))];
  return (document) => {
    const part = parts.findLast(({ first }) => first <= document);
    if (part === undefined) return true;
    const { grams } = part.segment.parts;
    const start = (document - part.first) * gramBytes;
    return bits.every((bit) => ((grams[start + (bit >> 3)] as number) & (1 << (bit & 7))) !== 0);
  };
}

/** The words of a query: folded, split on whitespace, each once. */
export function tokensOf(query: string): readonly string[] {
  return [
    ...new Set(
      foldText(query)
        .text.split(/\s+/u)
        .filter((token) => token !== ''),
    ),
  ];
}
