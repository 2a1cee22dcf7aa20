import { crowdOf } from '../search/crowd.mjs';
import { measureSearch } from '../search/speed.mjs';

/**
 * The same among as many skills as there are in public. Writing and indexing them takes minutes, so this is only
 * measured when it is asked for.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function searchLarge(sandbox, quick) {
  const count = 100_000;
  const crowd = await crowdOf(sandbox, count);
  const limits = { openMs: 300, queryMs: 12, openedMb: { above: 'nothing', limit: 600 } };
  return measureSearch(sandbox, crowd, count, { times: quick ? 1 : 3, rounds: 2, limits });
}
