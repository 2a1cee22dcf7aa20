/**
 * @typedef {object} Random
 * @property {() => number} next from 0 up to 1
 * @property {(end: number) => number} below a whole number
 * @property {(share: number) => boolean} chance
 * @property {<T>(list: readonly T[]) => T} pick
 * @property {(points: readonly (readonly [number, number])[]) => number} spread a size drawn after given quantiles
 */

/**
 * Mulberry32: small, fast, and the same sequence everywhere for one seed.
 *
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (end) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (list) => /** @type {(typeof list)[number]} */ (list[below(list.length)]),
    spread: (points) => quantile(points, next()),
  };
}

/** Between two quantiles sizes grow by a factor, as sizes of real files do, not by a sum. */
function quantile(points, share) {
  const upper = points.findIndex(([at]) => at >= share);
  const [[from, low], [to, high]] = [points[Math.max(upper - 1, 0)], points[Math.max(upper, 1)]];
  return Math.round(low * (high / low) ** ((share - from) / (to - from)));
}
