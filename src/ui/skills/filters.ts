/** What narrows the list down. All of it stands in the address, so that it can be shared, and survives a reload. */
export const facetNames = ['provider', 'location', 'plugin', 'runtime', 'state'] as const;
export type FacetName = (typeof facetNames)[number];

/** Empty where nothing was chosen. */
export type Filters = Readonly<Record<FacetName | 'q', string>>;

/** Files that are no skills are shown by themselves. */
export const skippedState = 'skipped';

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(['q', ...facetNames].map((name) => [name, query.get(name) ?? ''])) as Filters;
}

/** How many facets are chosen. */
export function chosenCount(filters: Filters): number {
  return facetNames.filter((name) => filters[name] !== '').length;
}

/** What the server is asked with: only what was chosen, and never what it does not know as a state. */
export function chosen(filters: Filters, names: readonly FacetName[] = facetNames): Record<string, string> {
  const given = names.filter((name) => filters[name] !== '' && filters[name] !== skippedState);
  return Object.fromEntries(given.map((name) => [name, filters[name]]));
}
