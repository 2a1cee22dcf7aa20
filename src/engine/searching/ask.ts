import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import { memoized } from '../../core/maps.ts';
import { createSlicer, runSliced } from '../../core/time-slice.ts';
import { skillsNamed } from '../../registry/names.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { CloserLook, Embedder } from '../../search/embedders/embedder.ts';
import { type Collection, isAlive } from '../../search/rank/collection.ts';
import {
  comeBehind,
  compareHits,
  lookCloser,
  type Question,
  type Ranking,
  rank,
  type Signals,
} from '../../search/rank/fuse.ts';
import { best } from '../../search/rank/top.ts';
import { type AskedWord, askedWords } from '../../search/text/asked.ts';
import { stemmed } from '../../search/text/lexicon.ts';
import type { Skill } from '../../skill/types.ts';
import type { DocumentMap } from './document-map.ts';
import type { Accepts } from './find.ts';
import { createToolFits, firstIn, type ToolFits } from './tool-fit.ts';

/** A skill that was found, and its copies. */
export interface Found {
  readonly skill: Skill;
  /** Other visible skills of the same name and description. */
  readonly copies: readonly Skill[];
  readonly document: number;
}

export interface Answer {
  readonly found: readonly Found[];
  readonly ranking: Ranking;
  readonly question: Question;
  /** Fits of the skills' tools. */
  readonly tools: ToolFits;
  /** Reason why meaning had no say, where it was to have one. */
  readonly problem?: string;
}

/** The settings of a search. */
export interface Asking {
  readonly signals: Signals;
  readonly limit: number;
  readonly accepts: Accepts;
  /** Whether filters may reject many hits. */
  readonly isNarrowed: boolean;
}

/** Code units of a query that are read: it says what is sought long before. */
const mostUnits = 20_000;

/** Number of first hits that get a second pass, however many are wanted: the first ones must not depend on that. */
const closerHits = 30;

/** Ranks the skills of an index by a query, and takes the best that are accepted. */
export async function ask(
  documentMap: DocumentMap,
  text: string,
  embedder: Promise<Embedder> | undefined,
  { signals, limit, accepts, isNarrowed }: Asking,
  environment: Environment,
): Promise<Answer> {
  const asked = text.slice(0, mostUnits);
  const words = askedWords(asked);
  const { embedding, closer, problem } = await embeddingOf(asked, words, documentMap.collection, embedder, signals);
  const question = { words, embedding };
  const first = await runSliced(rank(documentMap.collection, question, signals), createSlicer());
  const tools = createToolFits({ documentMap, ranking: first, question, embedder }, environment);
  await tools.raise(first, firstIn(first));
  const taken = await take(documentMap, first, { limit: Math.max(limit, closerHits), accepts, isNarrowed });
  const [looked, rest] = [taken.slice(0, closerHits), taken.slice(closerHits)];
  const ranking = closer === undefined ? first : lookCloser(first, closer, textsOf(looked));
  if (closer !== undefined) await tools.raise(ranking, documentsOf(looked));
  const sorted = ordered(looked, ranking, documentMap);
  comeBehind(ranking, sorted.at(-1)?.document, documentsOf(rest));
  const found = [...sorted, ...rest]
    .filter(({ document }) => (ranking.scores[document] as number) >= leastScore)
    .slice(0, limit);
  compareHits(ranking, documentsOf(found));
  return { found, ranking, question, tools, ...(problem !== undefined && { problem }) };
}

function documentsOf(found: readonly Found[]): number[] {
  return found.map(({ document }) => document);
}

/** Name and description of each skill, by document. */
function textsOf(found: readonly Found[]): Map<number, readonly string[]> {
  return new Map(found.map(({ skill, document }) => [document, [skill.name, skill.description]]));
}

/** Sorts hits, best first. The order of equals must not depend on how the index came about. */
function ordered(found: readonly Found[], { scores }: Ranking, documentMap: DocumentMap): Found[] {
  const scoreOf = ({ document }: Found) => scores[document] as number;
  return found.toSorted(
    (a, b) => scoreOf(b) - scoreOf(a) || documentMap.rowOf(a.document) - documentMap.rowOf(b.document),
  );
}

/** Number of words of a question that are checked for typing errors. */
const mostSlips = 4;

/**
 * The question with typing errors corrected, for its embedding: words that no skill says, where some skill says what
 * was meant.
 */
function corrected(text: string, words: readonly AskedWord[], collection: Collection, embedder: Embedder): string {
  const { correction } = embedder;
  if (correction === undefined) return text;
  const unsaid = words.filter(({ term, parts }) => parts.length === 0 && !isAlive(collection, term));
  const slips = new Set(unsaid.slice(0, mostSlips).map(({ written }) => written));
  if (slips.size === 0) return text;
  return text.replace(/[a-z]+/gi, (word) => {
    const meant = slips.has(word.toLowerCase()) ? correction(word) : undefined;
    return meant !== undefined && isAlive(collection, stemmed(meant)) ? meant : word;
  });
}

async function embeddingOf(
  asked: string,
  words: readonly AskedWord[],
  collection: Collection,
  embedder: Promise<Embedder> | undefined,
  signals: Signals,
): Promise<{ embedding: Float32Array | null; closer?: CloserLook | undefined; problem?: string }> {
  if (signals === 'words' || embedder === undefined) return { embedding: null };
  try {
    const opened = await embedder;
    const text = corrected(asked, words, collection, opened);
    const embedding = await opened.query(text);
    // A query without an embedding is in a script that the embedder does not know: words alone decide.
    if (embedding.every((value) => value === 0)) return { embedding: null };
    return { embedding, closer: opened.lookCloser?.(text, embedding) };
  } catch (error) {
    return { embedding: null, problem: reasonOf(error) };
  }
}

type Taking = Pick<Asking, 'limit' | 'accepts' | 'isNarrowed'>;

/** Score below which a hit is left out, because it would be shown as zero. */
const leastScore = 0.00005;

/** Takes the best hits, copies folded into the first of them. */
async function take(documentMap: DocumentMap, { scores }: Ranking, taking: Taking): Promise<Found[]> {
  const { limit, isNarrowed } = taking;
  const { collection } = documentMap;
  for (let most = isNarrowed ? collection.documents + 1 : limit * 2 + 16; ; most *= 4) {
    const highest = best(scores, most);
    // Some that are as good as the last may be missing.
    const bar = highest.length < most ? 0 : (scores[highest.at(-1) as number] as number);
    const isIn = (score: number) => score >= leastScore && score > bar;
    const documents = highest.filter((document) => isIn(scores[document] as number));
    // The order of equals must not depend on how the index came about.
    documents.sort(
      (a, b) => (scores[b] as number) - (scores[a] as number) || documentMap.rowOf(a) - documentMap.rowOf(b),
    );
    const found = await fold(documents, documentMap, taking);
    if (found.length === limit || bar < leastScore) return found;
  }
}

async function fold(
  documents: readonly number[],
  documentMap: DocumentMap,
  { limit, accepts }: Taking,
): Promise<Found[]> {
  const slicer = createSlicer();
  const found: Found[] = [];
  for (const document of documents) {
    if (slicer.isDue) await slicer.pause();
    const owners = accepted(documentMap.ownersOf(document), accepts);
    const [skill] = owners instanceof Promise ? await owners : owners;
    if (skill === undefined || found.some((one) => isSame(one.skill, skill))) continue;
    found.push({ skill, copies: await accepted(copiesIn(documentMap.snapshot)(skill), accepts), document });
    if (found.length === limit) break;
  }
  return found;
}

/** The skills that are accepted, synchronously where possible: there are dozens for every question. */
function accepted(skills: readonly Skill[], accepts: Accepts): readonly Skill[] | Promise<readonly Skill[]> {
  const verdicts = skills.map(accepts);
  const those = (all: readonly boolean[]) => skills.filter((_, at) => all[at]);
  const isKnown = (verdict: boolean | Promise<boolean>) => typeof verdict === 'boolean';
  return verdicts.every(isKnown) ? those(verdicts) : Promise.all(verdicts.map(async (verdict) => verdict)).then(those);
}

/** The key that copies share, so that they are one hit. */
export function sameness({ name, description }: Skill): string {
  return `${name}\0${description}`;
}

function isSame(one: Skill, other: Skill): boolean {
  return one.name === other.name && one.description === other.description;
}

/** The other skills that are the same, by the names that lookups know them by. */
const copiesIn = memoized((snapshot: Snapshot) => memoized((skill: Skill) => findCopies(snapshot, skill)));

function findCopies(snapshot: Snapshot, skill: Skill): readonly Skill[] {
  const named = (['full', 'short'] as const).flatMap((way) => skillsNamed(snapshot, way, skill.name)?.skills ?? []);
  const isCopy = (other: Skill) => other !== skill && isSame(other, skill) && snapshot.isVisible(other);
  return [...new Set(named)].filter(isCopy);
}
