import { SkillError } from '../../../core/errors.ts';
import { choice, flag, type Infer, integer, list, optional, text, union } from '../../../core/schema/schema.ts';
import { locations, runtimes } from '../../../skill/types.ts';
import { spelled } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { exactSchema, findSkills, foundSchema, mostExact, mostHits, searchExactly } from '../../searching/find.ts';

/** Output of either search. The one with a total is exact: by meaning, everything fits a little. */
const output = union(foundSchema, exactSchema);
export type SearchOutput = Infer<typeof output>;

const filters = ['provider', 'location', 'plugin', 'runtime', 'explain'] as const;

/** Finds skills: by words and meaning, or by words exactly. */
export const search = defineOperation({
  name: 'search',
  right: 'see',
  effect: 'reads',
  input: {
    query: list(text(), 'What you are looking for, in your own words and in any language.'),
    limit: integer(`Show at most this many; ${mostExact} is the most for exact words.`, {
      min: 1,
      max: mostHits,
      default: 10,
    }),
    exact: flag('Find only skills that contain every word, exactly as written.', { default: false }),
    explain: flag('Show what each word and each field adds to a score.', { default: false }),
    provider: optional(text('Only skills of this provider.')),
    location: optional(choice(locations, 'Only skills from this location.')),
    plugin: optional(text('Only skills of this plugin, with or without @marketplace.')),
    runtime: optional(choice(runtimes, 'Only skills whose tools use this runtime.')),
  },
  notes({ query }, output?: SearchOutput) {
    if (output === undefined) return { what: 'searched', detail: query.join(' ') };
    return { what: 'searched', detail: output.query, hits: 'total' in output ? output.total : output.results.length };
  },
  output,
  async run(engine, { query, limit, exact, ...options }, request): Promise<SearchOutput> {
    if (!exact) {
      return findSkills(engine, query.join(' '), { limit, ...options }, request);
    }
    const [other] = filters.filter((name) => options[name] !== undefined && options[name] !== false);
    if (other !== undefined) {
      const hint = other === 'explain' ? 'Leave one of them out.' : 'Narrow it down with --include and --exclude.';
      throw new SkillError('usage', `${spelled(request, 'exact')} cannot be combined with ${spelled(request, other)}`, {
        hint,
      });
    }
    return searchExactly(engine, query.join(' '), limit, request);
  },
});
