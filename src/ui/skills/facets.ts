import type { BrowseOutput, FacetValue } from '../../engine/operations/browse.ts';
import { type FacetName, type Filters, facetNames, skippedState } from './filters.ts';

export interface Facet {
  readonly name: FacetName;
  readonly title: string;
  readonly values: readonly (FacetValue & { readonly label: string })[];
}

const titles: Readonly<Record<FacetName, string>> = {
  provider: 'Provider',
  location: 'Location',
  plugin: 'Plugin',
  runtime: 'Runtime',
  state: 'State',
};

/** Words for values that do not speak for themselves. */
const labels: Partial<Readonly<Record<FacetName, Readonly<Record<string, string>>>>> = {
  runtime: { none: 'no tools', wasm: 'WebAssembly', docker: 'Docker' },
  state: { plain: 'as written' },
};

/** Values that have an order of their own. All others go by name, so that nothing jumps when counts change. */
const order: Partial<Readonly<Record<FacetName, readonly string[]>>> = {
  location: ['project', 'global', 'plugin'],
  runtime: ['native', 'wasm', 'docker', 'none'],
  state: ['plain', 'repaired', 'shadowed', 'ambiguous', 'look-alike', skippedState],
};

/** What can be chosen from, with counts. What is chosen stays there, even if no skill has it. */
export function facetsOf({ facets, skipped }: Pick<BrowseOutput, 'facets' | 'skipped'>, filters: Filters): Facet[] {
  const extra: Partial<Record<FacetName, FacetValue>> = {
    ...(skipped.length > 0 && { state: { value: skippedState, count: skipped.length } }),
  };
  return facetNames
    .map((name) => ({
      name,
      title: titles[name],
      values: withChosen([...facets[name], ...(extra[name] ? [extra[name]] : [])], filters[name])
        .map((one) => ({ ...one, label: labelOf(name, one.value) }))
        .sort(
          (a, b) =>
            placeOf(name, a.value) - placeOf(name, b.value) || a.label.localeCompare(b.label, 'en', { numeric: true }),
        ),
    }))
    .filter(({ values }) => values.length > 0);
}

export function labelOf(name: FacetName, value: string): string {
  const known = labels[name];
  return known !== undefined && Object.hasOwn(known, value) ? (known[value] ?? value) : value;
}

function withChosen(values: readonly FacetValue[], value: string): readonly FacetValue[] {
  return value === '' || values.some((one) => one.value === value) ? values : [...values, { value, count: 0 }];
}

function placeOf(name: FacetName, value: string): number {
  const place = order[name]?.indexOf(value) ?? -1;
  return place === -1 ? Number.MAX_SAFE_INTEGER : place;
}
