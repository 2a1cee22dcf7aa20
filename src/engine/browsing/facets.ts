import { knownProvider } from '../../agents/providers.ts';
import { count, type Infer, list, object, text } from '../../core/schema/schema.ts';
import { byText, fold } from '../../core/text/text.ts';
import { each, type SlicedTask } from '../../core/time-slice.ts';
import { locations, runtimes } from '../../skill/types.ts';
import { type Catalogue, type Entry, skillStates } from './catalogue.ts';

/** A property by which skills can be told apart. */
interface Facet {
  /** Returns the values that a skill has. */
  valuesOf(entry: Entry): readonly string[];
  /** Returns the filter for a value that somebody asked for. */
  meaning(wanted: string): (entry: Entry) => boolean;
  /** All possible values in the order they are shown; if omitted, the existing ones in order of text. */
  readonly order?: readonly string[];
}

const facets = {
  provider: {
    valuesOf: ({ skill }) => [skill.provider],
    meaning(wanted) {
      const names = [wanted, knownProvider(fold(wanted))];
      return ({ skill }) => names.includes(skill.provider);
    },
  },
  location: {
    valuesOf: ({ skill }) => [skill.location],
    meaning: (wanted) => (entry) => entry.skill.location === wanted,
    order: locations,
  },
  plugin: {
    valuesOf: ({ skill }) => (skill.plugin === null ? [] : [skill.plugin]),
    meaning: (wanted) => (entry) => entry.skill.plugin === wanted || entry.skill.pluginName === wanted,
  },
  runtime: {
    valuesOf: ({ runtime }) => [runtime],
    meaning: (wanted) => (entry) => entry.runtime === wanted,
    order: runtimes,
  },
  state: {
    valuesOf: ({ states }) => states,
    meaning: (wanted) => (entry) => (entry.states as readonly string[]).includes(wanted),
    order: skillStates,
  },
} as const satisfies Record<string, Facet>;

export type FacetName = keyof typeof facets;
const facetNames = Object.keys(facets) as readonly FacetName[];

export type Wanted = { readonly [N in FacetName]?: string | undefined };

const valueSchema = object({ value: text(), count: count('Among those that match all other filters.') });
export type FacetValue = Infer<typeof valueSchema>;

/** Every value that any skill has, with the number of skills that have it and pass all other filters. */
export const facetsSchema = object({
  provider: list(valueSchema),
  location: list(valueSchema),
  plugin: list(valueSchema),
  runtime: list(valueSchema),
  state: list(valueSchema),
} satisfies Record<FacetName, unknown>);
type FacetCounts = Infer<typeof facetsSchema>;

export interface FilteredEntries {
  readonly passed: readonly Entry[];
  readonly counts: FacetCounts;
}

/** Filters the entries, and counts for each facet and value those that pass the filters of all the other facets. */
export function* filterInSteps({ entries }: Catalogue, wanted: Wanted): SlicedTask<FilteredEntries> {
  const filters = facetNames.flatMap((name) => {
    const value = wanted[name];
    return value === undefined ? [] : [{ name, accepts: facets[name].meaning(value) }];
  });
  const passed: Entry[] = [];
  const tallies = new Map(facetNames.map((name) => [name, new Map<string, number>()]));
  yield* each(entries, (entry) => {
    const failed = filters.filter(({ accepts }) => !accepts(entry));
    if (failed.length === 0) passed.push(entry);
    // An entry that fails one filter alone still counts among the choices of that one.
    for (const name of facetNames) {
      const weight = failed.every((filter) => filter.name === name) ? 1 : 0;
      const tally = tallies.get(name) as Map<string, number>;
      for (const value of facets[name].valuesOf(entry)) tally.set(value, (tally.get(value) ?? 0) + weight);
    }
  });
  const counts = facetNames.map((name) => [name, countsIn(tallies.get(name) as Map<string, number>, facets[name])]);
  return { passed, counts: Object.fromEntries(counts) as FacetCounts };
}

/** Counts for every value that any skill has, even 0: choices that come and go are hard to use. */
function countsIn(tally: ReadonlyMap<string, number>, { order }: Facet): FacetValue[] {
  const values = order?.filter((value) => tally.has(value)) ?? [...tally.keys()].sort(byText);
  return values.map((value) => ({ value, count: tally.get(value) ?? 0 }));
}
