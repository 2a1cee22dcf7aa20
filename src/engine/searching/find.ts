import { knownProvider } from '../../agents/providers.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { count, type Infer, list, literal, number, object, optional, text } from '../../core/schema/schema.ts';
import { byText, fold } from '../../core/text/text.ts';
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
import type { Location, Runtime, Skill } from '../../skill/types.ts';
import { audienceOf, type Engine, type Request, spelled } from '../engine.ts';
import { readSkillFile } from '../loading/load.ts';
import { summaryOf, summarySchema } from '../summary.ts';
import type { DocumentMap } from './document-map.ts';
import { hitSchema, hitsOf } from './hits.ts';
import { searcherOf } from './searcher.ts';
import { ifThere, textWith } from './source.ts';

interface FindOptions extends SearchFilters {
  readonly limit: number;
  /** Whether to explain where each score comes from. */
  readonly explain: boolean;
}

const indexSchema = object({
  ready: count('How many skills can be found so far.'),
  total: count('How many there are.'),
  added: count('How many were read to answer.'),
  // Present if more skills are being read.
  isGrowing: optional(literal(true)),
});
export type IndexState = Infer<typeof indexSchema>;

export const foundSchema = object({
  query: text(),
  limit: count(),
  results: list(hitSchema),
  index: indexSchema,
  // Notes for a person on how the answer came about.
  notes: list(text()),
});
export type FindOutput = Infer<typeof foundSchema>;

export const mostHits = 100;
const longestEcho = 2000;

/** Finds skills by words and by meaning. */
export async function findSkills(
  engine: Engine,
  query: string,
  options: FindOptions,
  request: Request,
): Promise<FindOutput> {
  const { limit, explain } = options;
  const { onProgress, waitMs = Number.POSITIVE_INFINITY } = request;
  if (typeof query !== 'string') throw new SkillError('usage', 'the query must be a string');
  if (query.trim() === '') throw new SkillError('usage', 'the query is empty: say what you are looking for');
  if (!Number.isInteger(limit) || limit < 1 || limit > mostHits) {
    throw new SkillError('usage', `the number of results must be a whole number from 1 to ${mostHits}, not ${limit}`);
  }
  if (engine.registry.current === undefined) searcherOf(engine).begin();
  const snapshot = await engine.registry.snapshot();
  const audience = audienceOf(request);
  const accepts = acceptedBy(engine.environment, options);
  const asking = {
    text: query,
    signals: 'both',
    limit,
    accepts: (skill: Skill) => snapshot.isShownTo(audience, skill) && accepts(skill),
    isNarrowed: isNarrow(options),
  } as const;
  const answer = await searcherOf(engine).search(snapshot, { ...asking, waitMs, onProgress });
  const results = await hitsOf(answer, engine, explain);
  const { ready } = answer.documentMap;
  const index: IndexState = {
    ready,
    total: snapshot.visible.length,
    added: answer.added,
    ...(answer.isGrowing && { isGrowing: true }),
  };
  const onFilters =
    results.length === 0 && ready > 0 ? await noteOnFilters(engine.environment, options, snapshot.visible) : [];
  return { query: echoed(query), limit, results, index, notes: [...answer.notes, ...noteOnIndex(index), ...onFilters] };
}

function noteOnIndex({ ready, total, isGrowing }: IndexState): string[] {
  if (ready === total) return [];
  const rest = isGrowing ? 'ask again for the rest' : 'the others cannot be read at the moment';
  return [`${ready} of ${total} skills are indexed; ${rest}`];
}

/** The query as it is repeated in the answer; one of a megabyte only in part. */
function echoed(query: string): string {
  return query.length > longestEcho ? `${query.slice(0, longestEcho).toWellFormed()}…` : query.toWellFormed();
}

/** Filters for the skills that are wanted at all. */
export interface SearchFilters {
  readonly provider?: string | undefined;
  readonly location?: Location | undefined;
  /** Name of a plugin, with or without its marketplace. */
  readonly plugin?: string | undefined;
  readonly runtime?: Runtime | undefined;
}

function acceptedBy(environment: Environment, { provider, location, plugin, runtime }: SearchFilters): Accepts {
  const providers = provider === undefined ? undefined : [provider, knownProvider(fold(provider))];
  return (skill) =>
    (providers === undefined || providers.includes(skill.provider)) &&
    (location === undefined || skill.location === location) &&
    (plugin === undefined || skill.plugin === plugin || skill.pluginName === plugin) &&
    (runtime === undefined || hasRuntime(environment, skill, runtime));
}

/** Tells whether a skill is wanted. Known at once, but for what depends on its tools. */
export type Accepts = (skill: Skill) => boolean | Promise<boolean>;

/** Tells whether a skill has a tool of this runtime. Few ask for it, so its dependencies are loaded for those only. */
async function hasRuntime(environment: Environment, skill: Skill, runtime: Runtime): Promise<boolean> {
  const { toolboxFor } = await import('../toolbox.ts');
  return (await toolboxFor(environment, skill)).runtime === runtime;
}

function isNarrow({ provider, location, plugin, runtime }: SearchFilters): boolean {
  return [provider, location, plugin, runtime].some((filter) => filter !== undefined);
}

/** The note for when nothing was found because the filters reject everything. */
async function noteOnFilters(
  environment: Environment,
  filters: SearchFilters,
  visible: readonly Skill[],
): Promise<string[]> {
  const { provider, location, plugin, runtime } = filters;
  const given = Object.entries({ provider, location, plugin, runtime }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  const accepts = acceptedBy(environment, filters);
  for (const skill of visible) if (await accepts(skill)) return [];
  return [`no skill has ${given.map(([name, value]) => `${name} '${value}'`).join(' and ')}`];
}

const exactHitSchema = object({
  ...summarySchema.fields,
  fullName: text('The name by which it is loaded.'),
  provider: text(),
  score: number(),
  excerpt: text(),
});
export type ExactHit = Infer<typeof exactHitSchema>;

export const exactSchema = object(
  {
    query: text(),
    limit: count(),
    total: count('All hits, including those beyond the limit.'),
    results: list(exactHitSchema),
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
  // Read at the time of the query, so that what is found is what stands there now.
  const bytes = ifThere(skill, readSkillFile);
  yield;
  if (bytes === null) return null;
  const text = textWith(skill, bytes);
  yield;
  const parts = yield* foldParts(text);
  const match = yield* matchAll(tokens, parts);
  return match === null ? null : { skill, parts, match };
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
