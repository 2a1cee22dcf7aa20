import { SkillError } from '../../core/errors.ts';
import type { FetchContext, Fetched, Origin, Source } from './types.ts';

/** Fetches a source into a private folder. Throws, and leaves nothing behind, where it cannot be had as a whole. */
export async function fetchSource(source: Source, _context: FetchContext): Promise<Fetched> {
  throw new SkillError('unavailable', `${source.text}: sources cannot be fetched yet`);
}

/** Asks for the newest state of a source, without fetching its files. */
export async function newestOf(source: Source, _context: FetchContext): Promise<Origin> {
  throw new SkillError('unavailable', `${source.text}: sources cannot be asked yet`);
}

/** Compares a known state with the newest: `unknown` where the source tells nothing to compare by. */
export function compareOrigins(_known: Origin, _newest: Origin): 'same' | 'newer' | 'unknown' {
  return 'unknown';
}
