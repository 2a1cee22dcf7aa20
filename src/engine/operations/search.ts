import { SkillError } from '../../kernel/errors.ts';
import { type Infer, union } from '../../kernel/schema.ts';
import { locations, runtimes } from '../../skill/kinds.ts';
import { defineOperation } from '../operation.ts';
import { exactSchema, mostExact, searchExactly } from '../searching/exact.ts';
import { findSkills, foundSchema, mostHits } from '../searching/find.ts';

/** The one with a total is exact: by meaning, everything fits a little. */
const output = union(foundSchema, exactSchema);
export type SearchOutput = Infer<typeof output>;

const filters = ['provider', 'location', 'plugin', 'runtime', 'explain'] as const;

/** Finds skills: by words and meaning, or by words exactly. */
export const search = defineOperation({
  fields: {
    query: {
      kind: 'list',
      positional: true,
      required: true,
      value: 'WORDS',
      description: 'What you are looking for, in your own words and in any language.',
    },
    limit: {
      kind: 'integer',
      min: 1,
      max: mostHits,
      default: 10,
      value: 'N',
      description: `Show at most this many; with --exact ${mostExact} is the most.`,
    },
    exact: { kind: 'switch', description: 'Find only skills that contain every word, exactly as written.' },
    explain: { kind: 'switch', description: 'Show what each word and each field adds to a score.' },
    provider: { kind: 'text', value: 'NAME', description: 'Only skills of this provider.', completes: 'provider' },
    location: { kind: 'choice', choices: locations, description: 'Only skills from this location.' },
    plugin: { kind: 'text', value: 'NAME', description: 'Only skills of this plugin, with or without @marketplace.' },
    runtime: { kind: 'choice', choices: runtimes, description: 'Only skills whose tools use this runtime.' },
  },
  output,
  async run(engine, { query, limit, exact, ...options }, request): Promise<SearchOutput> {
    if (!exact) {
      const patience = { halves: 'both', patienceMs: Number.POSITIVE_INFINITY } as const;
      return findSkills(engine, query.join(' '), { limit, ...patience, ...options }, request);
    }
    const given = filters.filter((name) => options[name] !== undefined && options[name] !== false);
    if (given.length > 0) {
      const hint = given[0] === 'explain' ? 'Leave one of them out.' : 'Narrow it down with --include and --exclude.';
      throw new SkillError('usage', `--exact cannot be combined with --${given[0]}`, { hint });
    }
    return searchExactly(engine, query.join(' '), limit, request);
  },
});
