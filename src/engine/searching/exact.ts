import { SkillError } from '../../core/errors.ts';
import { count, type Infer, list, number, object, text as string } from '../../core/schema/schema.ts';
import { byText } from '../../core/text/text.ts';
import { createSlicer, runSliced, type SlicedTask } from '../../core/time-slice.ts';
import { distinctName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { excerptOf } from '../../search/exact/excerpt.ts';
import {
  createTrigramFilter,
  foldParts,
  type Match,
  matchAll,
  type Searchable,
  tokensOf,
} from '../../search/exact/match.ts';
import { type Automaton, createAutomaton } from '../../search/passage/automaton.ts';
import type { Folded } from '../../search/text/folded.ts';
import type { Skill } from '../../skill/types.ts';
import { audienceOf, type Engine, type Request, spelled } from '../engine.ts';
import { readSkillFile } from '../loading/load.ts';
import { summaryOf, summarySchema } from '../summary.ts';
import type { DocumentMap } from './document-map.ts';
import { searcherOf } from './searcher.ts';
import { textWith } from './source.ts';

const hitSchema = object({
  ...summarySchema.fields,
  fullName: string('The name by which it is loaded.'),
  provider: string(),
  score: number(),
  excerpt: string(),
});
export type ExactHit = Infer<typeof hitSchema>;

export const exactSchema = object(
  {
    query: string(),
    limit: count(),
    total: count('All hits, including those beyond the limit.'),
    results: list(hitSchema),
  },
  'With `exact`.',
);
export type ExactOutput = Infer<typeof exactSchema>;

export const mostExact = 25;
const queryLimits = { characters: 100_000, tokens: 1_000 } as const;

/** Finds the skills in which every word of the query occurs, wherever it stands. */
export async function searchExactly(
  engine: Engine,
  query: string,
  limit: number,
  request: Request,
): Promise<ExactOutput> {
  const words = checkedTokens(query);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostExact) {
    throw new SkillError(
      'usage',
      `${spelled(request, 'limit')} must be a whole number from 1 to ${mostExact}, not ${limit}`,
    );
  }
  const tokens = createAutomaton(words);
  const snapshot = await engine.registry.snapshot();
  const best: Hit[] = [];
  let [total, done] = [0, 0];
  const audience = audienceOf(request);
  const sought = await sifted(engine, snapshot, words);
  const skills = sought.filter((skill) => snapshot.isShownTo(audience, skill));
  const slicer = createSlicer(() => request.onProgress?.({ what: 'Searching skills', done, total: skills.length }));
  for (const skill of skills) {
    const hit = await runSliced(hitOf(skill, tokens), slicer);
    done++;
    if (hit === null) continue;
    total++;
    keep(best, hit, limit);
  }
  const results: ExactHit[] = [];
  for (const { skill, parts, match } of best) {
    results.push({
      ...summaryOf(skill, engine.environment),
      fullName: distinctName(snapshot, skill),
      provider: skill.provider,
      score: match.score,
      excerpt: await runSliced(excerptOf(tokens, parts), slicer),
    });
  }
  return { query, limit, total, results };
}

function checkedTokens(query: string): readonly string[] {
  const { characters, tokens: words } = queryLimits;
  if (query.length > characters) {
    throw new SkillError('usage', `the query has ${query.length} characters; at most ${characters} are allowed`);
  }
  const tokens = tokensOf(query);
  if (tokens.length === 0) throw new SkillError('usage', 'the query is empty: name at least one word');
  if (tokens.length > words) {
    throw new SkillError('usage', `the query has ${tokens.length} different words; at most ${words} are allowed`);
  }
  return tokens;
}

interface Hit {
  readonly skill: Skill;
  readonly parts: Searchable<Folded>;
  readonly match: Match;
}

/** Adds a hit, and keeps only as many as are shown: a thousand texts would fill the memory. */
function keep(best: Hit[], hit: Hit, limit: number): void {
  best.push(hit);
  best.sort(
    (a, b) =>
      b.match.score - a.match.score ||
      b.match.relevance - a.match.relevance ||
      byText(a.skill.fullName, b.skill.fullName) ||
      a.skill.rank - b.skill.rank,
  );
  if (best.length > limit) best.pop();
}

function* hitOf(skill: Skill, tokens: Automaton): SlicedTask<Hit | null> {
  const bytes = bytesOf(skill);
  yield;
  if (bytes === null) return null;
  const text = textWith(skill, bytes);
  yield;
  const parts = yield* foldParts(text);
  const match = yield* matchAll(tokens, parts);
  return match === null ? null : { skill, parts, match };
}

/** Reads a file at the time of the query, so that what is found is what stands there now; null if it has just gone. */
function bytesOf(skill: Skill): Buffer | null {
  try {
    return readSkillFile(skill);
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}

/** Number of skills from which the index is used: a few files are read as quickly as an index is opened. */
const manySkills = 200;

/** The skills that an exact search must read: the index, as far as there is one, knows which cannot match. */
async function sifted(engine: Engine, snapshot: Snapshot, tokens: readonly string[]): Promise<readonly Skill[]> {
  const { visible } = snapshot;
  // The files count, and not what the index knows of them, where changes are not watched for.
  if (visible.length < manySkills || !engine.configuration.values.autoRefresh) return visible;
  const documentMap = await lookedUp(engine, snapshot);
  if (documentMap === null) return visible;
  const mayHold = createTrigramFilter(documentMap.collection, tokens);
  return visible.filter((_, row) => {
    const document = documentMap.documents[row] as number;
    return document === -1 || mayHold(document);
  });
}

/** The documents of the skills; null if the embedder is misconfigured, which does not matter to an exact search. */
async function lookedUp(engine: Engine, snapshot: Snapshot): Promise<DocumentMap | null> {
  try {
    return await searcherOf(engine).look(snapshot);
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}
