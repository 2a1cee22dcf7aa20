import { crowdOf } from '../search/crowd.mjs';
import { measureSearch } from '../search/speed.mjs';

/**
 * What a search costs among as many skills as a well-stocked machine has, when the index is on disk already.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function search(sandbox, quick) {
  const count = 1000;
  const crowd = await crowdOf(sandbox, count);
  const limits = { queryMs: 2, modelMs: 80, openedMb: { above: 'registry', limit: 30 } };
  return measureSearch(sandbox, crowd, count, { times: quick ? 2 : 5, rounds: 3, limits });
}
