import { counted } from '../../core/text/text.ts';
import type { BrowseOutput, BrowseRow } from '../../engine/operations/skills/browse.ts';
import type { SearchHit } from '../../engine/searching/hits.ts';
import { ask } from '../api.ts';
import { chosen, type Filters, skippedState } from './facets.ts';

export const pageSize = 100;
/** Number of skills that the server gives at once. */
const mostAtOnce = 500;

/** Fetches the first skills, up to the wanted number, in one request where the server's limit allows. */
export async function browseUpTo(filters: Filters, wanted: number, signal: AbortSignal): Promise<BrowseOutput> {
  const rows: BrowseRow[] = [];
  const sort = filters.sort === '' ? {} : { sort: filters.sort as 'tools' };
  for (;;) {
    const limit = Math.min(mostAtOnce, Math.max(1, wanted - rows.length));
    const part = await ask('browse', { ...chosen(filters), ...sort, offset: rows.length, limit }, signal);
    rows.push(...part.rows);
    if (part.rows.length === 0 || rows.length >= Math.min(wanted, part.total)) return { ...part, offset: 0, rows };
  }
}

/** Number of rows the list has to bring: a search needs none of them. */
export function rowsNeeded({ q, state }: Filters, shown: number): number {
  return q !== '' || state === skippedState ? 1 : shown;
}

export interface Hits {
  readonly query: string;
  readonly hits: readonly SearchHit[];
  /** The hits without the chosen facets. */
  readonly near: readonly SearchHit[];
  readonly notes: readonly string[];
  /** The number of the search, to tell its answer from others. */
  readonly number: number;
}

/** The rows and counts of the list for the hits of a search. */
export interface Known {
  readonly number: number;
  /** The skills of the hits, as the list has them. */
  readonly rows: readonly BrowseRow[];
  /** A listing of the hits that fit, for its counts. */
  readonly fitting: BrowseOutput;
}

const mostHits = 30;
/** Characters of the paths of hits that an address has room for. */
const room = 12_000;

let searches = 0;

/** Searches as the tools do, within the chosen facets. */
export async function searchFor(filters: Filters, signal: AbortSignal): Promise<Hits> {
  const narrowed = chosen(filters, ['provider', 'location', 'plugin', 'runtime']);
  const search = async (within: Readonly<Record<string, string>>) =>
    ask('search', { ...within, query: [filters.q], limit: mostHits }, signal);
  const [found, all] = await Promise.all([search(narrowed), Object.keys(narrowed).length === 0 ? null : search({})]);
  const hits = found.results as readonly SearchHit[];
  const near = (all?.results ?? hits) as readonly SearchHit[];
  return { query: found.query, hits, near, notes: 'notes' in found ? found.notes : [], number: ++searches };
}

/** Asks what the list knows of the hits, and counts the facets among what fits without them. */
export async function knownOf({ hits, near, number }: Hits, filters: Filters, signal: AbortSignal): Promise<Known> {
  const listed = rowsOf(hits, filters, signal);
  const fit = [...hits, ...near].filter(({ weak }) => !weak);
  // Mostly they are the same, and asked for once.
  const isSame = near === hits && hits.every(({ weak }) => !weak);
  const [{ rows }, fitting] = await Promise.all([listed, isSame ? listed : rowsOf(fit, filters, signal)]);
  return { number, rows, fitting };
}

/** The hits that are shown; null until they are known. The search has no filter for states: for one, the list has to say. */
export function hitsIn(found: Hits, known: Known | null, { state }: Filters): readonly SearchHit[] | null {
  if (state === '') return found.hits;
  if (known?.number !== found.number) return null;
  const passed = new Set(known.rows.map(({ file }) => file));
  return found.hits.filter(({ path }) => passed.has(path));
}

/** The skills of some hits, as the list has them. */
function rowsOf(hits: readonly SearchHit[], filters: Filters, signal: AbortSignal): Promise<BrowseOutput> {
  const files = withinRoom(hits.map(({ path }) => path));
  // No file at all would mean every skill.
  return ask('browse', { ...chosen(filters), files: ['-', ...files], limit: mostAtOnce }, signal);
}

function withinRoom(paths: readonly string[]): string[] {
  let taken = 0;
  return [...new Set(paths)].filter((path) => {
    taken += encodeURIComponent(path).length;
    return taken < room;
  });
}

interface Version {
  readonly all: number;
  readonly revision: string;
}

/** The change between two versions of the list, in a few words; null for nothing. */
export function changeInWords(before: Version, now: Version): string | null {
  if (before.revision === now.revision) return null;
  if (now.all > before.all) return `${counted(now.all - before.all, 'skill')} added`;
  if (now.all < before.all) return `${counted(before.all - now.all, 'skill')} gone`;
  return 'the skills have changed';
}

/** A skill of the list, and those of its name that stand behind it. */
export interface Family {
  readonly row: BrowseRow;
  readonly twins: readonly BrowseRow[];
}

/** Folds skills that are shadowed under the one of their name that is used, where that is just before them. */
export function familiesOf(rows: readonly BrowseRow[]): readonly Family[] {
  const families: { row: BrowseRow; twins: BrowseRow[] }[] = [];
  for (const row of rows) {
    const last = families.at(-1);
    const isTwin = last !== undefined && last.row.fullName === row.fullName && row.states.includes('shadowed');
    if (isTwin) last.twins.push(row);
    else families.push({ row, twins: [] });
  }
  return families;
}
