import type { BrowseOutput, FacetValue } from '../../engine/operations/skills/browse.ts';

/** Facets that narrow the list down. All are in the address, so that it can be shared, and survives a reload. */
const facetNames = ['provider', 'location', 'plugin', 'runtime', 'state'] as const;
type FacetName = (typeof facetNames)[number];

/** Values of the filters, the words of the search and the order; empty where nothing was chosen. */
export type Filters = Readonly<Record<FacetName | 'q' | 'sort', string>>;

/** The state of files that are no skills, which are shown by themselves. */
export const skippedState = 'skipped';

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(['q', 'sort', ...facetNames].map((name) => [name, query.get(name) ?? ''])) as Filters;
}

/** Number of facets that are chosen. */
export function chosenCount(filters: Filters): number {
  return facetNames.filter((name) => filters[name] !== '').length;
}

/** Parameters of the request: only the chosen facets, and never a state that the server does not know. */
export function chosen(filters: Filters, names: readonly FacetName[] = facetNames): Record<string, string> {
  const given = names.filter((name) => filters[name] !== '' && filters[name] !== skippedState);
  return Object.fromEntries(given.map((name) => [name, filters[name]]));
}

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

/** Labels for values that do not speak for themselves. */
const labels: Partial<Readonly<Record<FacetName, Readonly<Record<string, string>>>>> = {
  runtime: { none: 'no tools', wasm: 'WebAssembly', docker: 'Docker' },
  state: { plain: 'ready', 'broken-tools': 'broken manifest' },
};

/** Values that have an order of their own. All others go by name, so that nothing jumps when counts change. */
const order: Partial<Readonly<Record<FacetName, readonly string[]>>> = {
  location: ['project', 'global', 'plugin', 'remote'],
  runtime: ['native', 'wasm', 'docker', 'none'],
  state: ['plain', 'repaired', 'broken-tools', 'shadowed', 'ambiguous', 'look-alike', 'quarantined', skippedState],
};

/** The facets with counts. A chosen value stays there, even if no skill has it. */
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

/** A passage of Markdown as one reads it: without the marks of headings, emphasis, code and links. */
export function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(^|\s)#{1,6}(?=\s)/g, '$1')
    .replace(/^\s*(?:>|[-*+]|\d+\.)\s/gm, '')
    .replace(/(\*\*|__|`+|~~)(?=\S)|(?<=\S)(\*\*|__|`+|~~)/g, '')
    .replace(/\s*\|[\s|:-]*(?:\||$)/g, ' · ')
    .replace(/\s+/g, ' ')
    .trim();
}

interface Part {
  readonly text: string;
  readonly isMarked: boolean;
}

const mostWords = 20;
const common = new Set(
  'a an and are as at be by can do for from how i in is it my of on or that the this to what when with you your'.split(
    ' ',
  ),
);
/** Scripts that are written without spaces, so that a word may be anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Splits a text at the words of a query. Endings are left open: a search finds `forms` by `form`, and so does the eye.
 */
export function markedParts(text: string, query: string): readonly Part[] {
  const patterns = wordsOf(query).map(patternOf);
  if (patterns.length === 0) return [{ text, isMarked: false }];
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    if (index > end) parts.push({ text: text.slice(end, index), isMarked: false });
    parts.push({ text: found, isMarked: true });
    end = index + found.length;
  }
  return end < text.length ? [...parts, { text: text.slice(end), isMarked: false }] : parts;
}

function wordsOf(query: string): readonly string[] {
  const all = query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const telling = all.filter((word) => !common.has(word));
  return [...new Set(telling.length > 0 ? telling : all)].slice(0, mostWords);
}

/** A pattern for a word. Only letters and digits come in here, so nothing needs to be escaped. */
function patternOf(word: string): string {
  if (unspaced.test(word)) return word;
  const stem = word.replace(/(?:ing|ed|es|s)$/, '');
  const beginning = stem.length >= 4 ? stem : word;
  return `(?<![\\p{L}\\p{N}])${beginning}${beginning.length >= 3 ? '[\\p{L}\\p{N}\\p{M}]*' : '(?![\\p{L}\\p{N}])'}`;
}
