import type { SlicedTask } from '../../core/time-slice.ts';
import type { CloserLook } from '../embedders/embedder.ts';
import { termsOfField } from '../index/document.ts';
import { normalised } from '../model/embed.ts';
import type { AskedWord } from '../text/asked.ts';
import type { Lexicon } from '../text/lexicon.ts';
import { beginsWithIdeograph } from '../text/runs.ts';
import { quantize } from '../vectors/quantize.ts';
import type { Collection } from './collection.ts';
import { best } from './top.ts';
import { scoreWords, type WordMatch } from './words.ts';

/** The question: its words, and their embedding, which is null where nothing embeds. */
export interface Question {
  readonly words: readonly AskedWord[];
  readonly embedding: Float32Array | null;
}

/** The signals that decide: lexical (words), semantic (meaning), or both. */
export type Signals = 'both' | 'words' | 'meaning';

export interface Ranking {
  /** Scores by document, from 0; may pass 1 where a long query is matched by more than its strongest words. */
  readonly scores: Float32Array;
  readonly words: Float32Array;
  readonly meaning: Float32Array;
  /** Nearness of each document to the query as it was asked, before feedback moved that towards its first hits. */
  readonly similarity: Float32Array;
  /** Embedding of the query after feedback moved it towards its first hits; null where nothing embeds. */
  readonly drawn: Float32Array | null;
  readonly matches: readonly WordMatch[];
  /** Evidence for a hit, whatever the others are like: less than `weakBelow` is no better than chance. */
  readonly evidence: Float32Array;
  /** Share of the question that skills say with typing errors at best. */
  readonly misspelt: number;
  /** Share of the score that meaning decides. */
  readonly share: number;
  /** Divisor of the scores by words. */
  readonly whole: number;
  /** Signals of the second pass over the first hits, if there was one. */
  readonly closer?: CloserLook;
}

const firstHits = 5;

/**
 * Share of the score that words decide: a third where every word of the question is said by some skill, and more where
 * the words are ones that no skill has. Such a question is in another language, and what it shares with a skill is a
 * name; or it is misspelt, and its embedding is that of no word at all. Found on questions in six languages, where the
 * optimum is flat. A single word that is said is a name more often than a question, and its embedding may be chance:
 * among thousands of skills some come nearer to that than one that says the word once. Signs of Chinese and Japanese
 * that skills have stand in every other text of these languages, and say little: where a third of a question's is said,
 * the collection holds its language, and words have least.
 */
const wordsShare = { known: 0.34, unknown: 0.17, misspelt: 0.19, single: 0.26, signs: -0.04 } as const;
/** Multiple of the share of signs that are said by which a collection holds the language of a question, at most whole. */
const signsSpoken = 3;

interface Said {
  /** Share of the question that any skill says in these words. */
  readonly known: number;
  /** Share that skills say with typing errors at best. */
  readonly misspelt: number;
  /** Degree to which the collection holds the language of a question in signs, from 0 to 1. */
  readonly spoken: number;
}

/** The shares of a question by how skills say it, each word by its worth. */
function saidShares(matches: readonly WordMatch[]): Said {
  let [known, misspelt, all, signs, saidSigns] = [0, 0, 0, 0, 0];
  for (const { word, worth, found } of matches) {
    const isSaid = found.some(({ by }) => by === 'word');
    all += worth;
    if (isSaid) known += worth;
    else if (found.length > 0 && found.every(({ by }) => by === 'typo')) misspelt += worth;
    if (!beginsWithIdeograph(word)) continue;
    signs += worth;
    if (isSaid) saidSigns += worth;
  }
  const spoken = signs === 0 ? 0 : Math.min(1, (signsSpoken * saidSigns) / signs);
  return all === 0 ? { known: 1, misspelt: 0, spoken } : { known: known / all, misspelt: misspelt / all, spoken };
}

function wordsShareOf({ known, misspelt, spoken }: Said, words: number, signals: Signals): number {
  if (signals !== 'both') return signals === 'words' ? 1 : 0;
  return (
    wordsShare.known +
    wordsShare.unknown * (1 - known) * (1 - spoken) +
    wordsShare.misspelt * misspelt +
    (words === 1 ? wordsShare.single * known : 0) +
    wordsShare.signs * spoken
  );
}

/** Evidence below which a hit is as good as those of a query about something else entirely. */
const weakBelow = 0.2;
/** Share of the first hit's score below which a hit is as good as none. */
const farBehind = 0.2;

/** Tells whether a hit is no better than chance. */
export function isWeak({ evidence }: Ranking, document: number): boolean {
  return isChance(evidence[document] as number);
}

export function isChance(evidence: number): boolean {
  return evidence < weakBelow;
}

/** Removes the evidence of hits, best first, where one before them is weak, or the first leaves them far behind. */
export function compareHits(ranking: Ranking, documents: readonly number[]): void {
  const { evidence, scores } = ranking;
  const least = farBehind * (scores[documents[0] ?? 0] ?? 0);
  let isOver = false;
  for (const document of documents) {
    isOver ||= isWeak(ranking, document) || (scores[document] as number) < least;
    if (isOver) evidence[document] = 0;
  }
}

/** The signals for one text: what was found of a question in it. */
export interface Signs {
  readonly words: number;
  readonly similarity: number;
  /** Share of the question that is said in near words besides the word that is said best. */
  readonly besides: number;
  /** Share of the question that is misspelt. */
  readonly misspelt: number;
  /** Whether the question is the beginning of a longer word that skills say. */
  readonly isBegun: boolean;
  /** Likeness of the question to a task for a skill, whatever the text. */
  readonly likeness: number;
}

/** Weights of the signals in evidence. */
const weights = { words: 0.46, misspelt: 0.1, begun: 1, similarity: 0.44, besides: 0.35, likeness: 0.033 } as const;

/**
 * Combines the signals into evidence. An embedding that was moved towards its own hits says nothing about whether these
 * are any good, and one word in common is chance: so the plain embedding, the words themselves and what is said besides
 * the nearest word count. Words that were found in spite of typing errors count more, and the beginning of a name, which
 * has no embedding of its own, most. A question that does not sound like a task for a skill needs more of it. Found on
 * right first hits, with typing errors and without, and on questions about something else.
 */
export function evidenceIn({ words, similarity, besides, misspelt, isBegun, likeness }: Signs): number {
  return (
    (weights.words + weights.misspelt * misspelt + (isBegun ? weights.begun : 0)) * words +
    weights.similarity * Math.max(0, similarity) +
    weights.besides * besides +
    weights.likeness * likeness
  );
}

/** Letters from which a single word that only begins words of skills is no chance. */
const longBeginning = 6;

function isBeginning([match, ...others]: readonly WordMatch[]): boolean {
  if (match === undefined || others.length > 0 || match.word.length < longBeginning) return false;
  return match.found.length > 0 && match.found.every(({ by }) => by === 'beginning');
}

/**
 * Ranks by calibrated scores: the lexical and the semantic signal each say how sure they are on a scale of their own,
 * so that one with nothing to say does not push its guesses to the top, as it would if only places in a ranking were
 * added up.
 */
export function* rank(collection: Collection, { words, embedding }: Question, signals: Signals): SlicedTask<Ranking> {
  const { scores: byWords, matches, whole } = yield* scoreWords(collection, words);
  const said = saidShares(matches);
  const share = embedding === null ? 0 : 1 - wordsShareOf(said, matches.length, signals);
  const fuse = (meaning: Float32Array) => fused(collection, byWords, meaning, share);
  const known = { words: byWords, matches, misspelt: said.misspelt, share, whole };
  if (embedding === null || share === 0) {
    const meaning = new Float32Array(collection.documents);
    const scores = fuse(meaning);
    return { ...known, scores, meaning, similarity: meaning, drawn: null, evidence: scores.slice() };
  }
  const plain = yield* scoreMeaning(collection, embedding);
  const first = best(fuse(plain), firstHits);
  const doubt = Math.max(0, 1 - Math.max(0, ...first.map((document) => byWords[document] as number)));
  const drawn = rocchioFeedback(collection, embedding, { first, doubt, words: words.length });
  const meaning = yield* scoreMeaning(collection, drawn);
  const scores = fuse(meaning);
  return { ...known, scores, meaning, similarity: plain, drawn, evidence: scores.slice() };
}

/** Nearness by chance: any text comes this near to any question. */
const chance = 0.35;

/** Share that is left of nearness by chance: enough to say which of poor hits is the nearest. */
const chanceShare = 0.05;

/**
 * Combines the nearness of embedding and words; the former alone where there is nothing else. What chance would bring
 * counts for next to nothing, or it would outweigh a rare word that one skill alone has.
 */
export function meaningOf(similarity: number, nearWords?: number): number {
  const near = Math.max(0, similarity);
  if (nearWords === undefined) return near;
  const both = (near + nearWords) / 2;
  return Math.max(chanceShare * both, (both - chance) / (1 - chance));
}

/** Combines the scores by words and by meaning, each by its share. */
export function scoreOf(words: number, meaning: number, { share }: Ranking): number {
  return (1 - share) * words + share * meaning;
}

/** The evidence for a text after the second pass. Where no word says anything, nothing was asked for. */
export function evidenceFor(
  { matches, misspelt }: Ranking,
  { likeness }: CloserLook,
  signs: Omit<Signs, 'misspelt' | 'isBegun' | 'likeness'>,
): number {
  return matches.length === 0 ? 0 : evidenceIn({ ...signs, misspelt, isBegun: isBeginning(matches), likeness });
}

/** Makes a second pass over some hits by their texts: scores near words, and whether that is better than chance. */
export function lookCloser(
  ranking: Ranking,
  closer: CloserLook,
  texts: ReadonlyMap<number, readonly string[]>,
): Ranking {
  const { scores, words, meaning, similarity } = ranking;
  const evidence = new Float32Array(scores.length);
  for (const [document, text] of texts) {
    const near = closer.nearWords(text);
    const [said, straight] = [words[document] as number, similarity[document] as number];
    evidence[document] = evidenceFor(ranking, closer, { words: said, similarity: straight, besides: near.besides });
    meaning[document] = meaningOf(meaning[document] as number, near.said);
    scores[document] = scoreOf(said, meaning[document] as number, ranking);
  }
  return { ...ranking, evidence, closer };
}

/** Puts hits without a second pass behind the last that had one: what they were scored by is not comparable. */
export function comeBehind(ranking: Ranking, last: number | undefined, documents: readonly number[]): void {
  const { scores, words, similarity, evidence, closer } = ranking;
  if (last === undefined || closer === undefined) return;
  for (const document of documents) {
    scores[document] = Math.min(scores[document] as number, scores[last] as number);
    const [said, straight] = [words[document] as number, similarity[document] as number];
    evidence[document] = evidenceFor(ranking, closer, { words: said, similarity: straight, besides: 0 });
  }
}

function fused({ lives }: Collection, words: Float32Array, meaning: Float32Array, share: number): Float32Array {
  const scores = new Float32Array(words.length);
  for (let at = 0; at < scores.length; at++) {
    if (lives[at] !== 1) continue;
    const near = meaning[at] as number;
    // Nearness below zero counts as none. Half of all are, at random: a branch would be mispredicted every other time.
    scores[at] = (share / 2) * (near + Math.abs(near)) + (1 - share) * (words[at] as number);
  }
  return scores;
}

/** Scores how near every document is to an embedding, from −1 to 1. */
function* scoreMeaning({ parts, documents }: Collection, embedding: Float32Array): SlicedTask<Float32Array> {
  const scores = new Float32Array(documents);
  const query = new Int8Array(embedding.length);
  const scale = quantize(embedding, query, 0);
  if (scale === 0) return scores;
  for (const part of parts) {
    const { segment, first } = part;
    if (segment.dimensions !== query.length) continue; // made while nothing could be embedded
    yield;
    const products = part.scanner.scan(query);
    for (let at = 0; at < segment.documents; at++) {
      scores[first + at] = (products[at] as number) * (segment.scales[at] as number) * scale;
    }
  }
  return scores;
}

/** Share by which a query moves towards its first hits, at most. */
const pull = 0.5;
/** Words beyond which it moves less and less: a whole paragraph says where it wants to go. */
const fewWords = 10;

interface FirstLook {
  /** The best hits by words and embedding together. */
  readonly first: readonly number[];
  /** Doubt from 0, where words have found exactly what was asked for, to 1. */
  readonly doubt: number;
  /** Number of words in the query. */
  readonly words: number;
}

/**
 * The embedding of a query after a first search: what the best hits have in common says more about the subject than a
 * few words do, above all in another language.
 */
function rocchioFeedback(
  { parts }: Collection,
  embedding: Float32Array,
  { first, doubt, words }: FirstLook,
): Float32Array {
  const strength = pull * doubt * Math.min(1, fewWords / words);
  const drawn = Float32Array.from(embedding);
  for (const document of first) {
    const part = parts.findLast((one) => one.first <= document);
    if (part === undefined || part.segment.dimensions !== drawn.length) continue;
    const { segment } = part;
    const at = document - part.first;
    const share = (strength / first.length) * (segment.scales[at] as number);
    for (let index = 0; index < drawn.length; index++) {
      drawn[index] = (drawn[index] as number) + share * (segment.vectors[at * drawn.length + index] as number);
    }
  }
  return normalised(drawn);
}

/** The terms of a short text. */
export function termsIn(text: string, lexicon: Lexicon): ReadonlySet<string> {
  return new Set(termsOfField('tools', text, lexicon).terms.map((number) => lexicon.termOf(number)));
}

/** The share of the question that a short text says, from 0 to 1, given how surely each term stands in it. */
export function coverage({ matches, whole }: Ranking, said: (term: string) => number): number {
  if (whole === 0) return 0;
  let sum = 0;
  for (const { worth, found } of matches) {
    let best = 0;
    for (const { term, share } of found) best = Math.max(best, share * said(term));
    sum += worth * best;
  }
  return Math.min(1, sum / whole);
}
