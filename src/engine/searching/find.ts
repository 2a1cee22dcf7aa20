import { knownProvider } from '../../agents/providers.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { count, type Infer, list, literal, object, optional, text } from '../../core/schema/schema.ts';
import { fold } from '../../core/text/text.ts';
import type { Location, Runtime } from '../../skill/kinds.ts';
import type { Skill } from '../../skill/types.ts';
import { audienceOf, type Engine, type Request } from '../engine.ts';
import { hitSchema, hitsOf } from './hits.ts';
import { searcherOf } from './searcher.ts';

export interface FindOptions extends SearchFilters {
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
