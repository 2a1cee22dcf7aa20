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
  for (;;) {
    const limit = Math.min(mostAtOnce, Math.max(1, wanted - rows.length));
    const part = await ask('browse', { ...chosen(filters), offset: rows.length, limit }, signal);
    rows.push(...part.rows);
    if (part.rows.length === 0 || rows.length >= Math.min(wanted, part.total)) return { ...part, offset: 0, rows };
  }
}

/** Number of rows the list has to bring. A search needs only its counts, or a state that the search does not know. */
export function rowsNeeded({ q, state }: Filters, shown: number): number {
  if (state === skippedState) return 1;
  if (q === '') return shown;
  return state === '' ? 1 : mostAtOnce;
}

export interface Hits {
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly notes: readonly string[];
}

const mostHits = 30;

/** Searches as the tools do. */
export async function searchFor(filters: Filters, signal: AbortSignal): Promise<Hits> {
  const narrowed = chosen(filters, ['provider', 'location', 'plugin', 'runtime']);
  const { query, results, ...rest } = await ask('search', { ...narrowed, query: [filters.q], limit: mostHits }, signal);
  return { query, hits: results as readonly SearchHit[], notes: 'notes' in rest ? rest.notes : [] };
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
