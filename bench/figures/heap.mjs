import { probeFile, summary, tellOf } from '../measure.mjs';
import { many } from './figure.mjs';

const mega = 1e6;

/**
 * What a snapshot holds in memory: right after files were read, and when all came from the cache.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function heap(sandbox, quick) {
  const times = quick ? 1 : 3;
  const empty = await heapOf(sandbox, 0, times, true);
  const rows = [];
  for (const [count, limit] of [
    [100, 10],
    [many, 60],
  ]) {
    for (const isCold of [true, false]) {
      const full = await heapOf(sandbox, count, times, isCold);
      rows.push({
        name: `growth with ${count} skills, ${isCold ? 'read' : 'from the cache'}, indexed`,
        unit: 'MB',
        subject: summary(full.map((bytes, index) => (bytes - (empty[index] ?? Number.NaN)) / mega)),
        floor: summary(empty.map((bytes) => bytes / mega)),
        floorName: 'empty registry',
        judged: /** @type {const} */ ('subject'),
        limit,
      });
    }
  }
  return rows;
}

async function heapOf(sandbox, count, times, isCold) {
  const catalogue = await sandbox.catalogue(count);
  const sizes = [];
  while (sizes.length < times) {
    if (isCold) sandbox.clearCache();
    sizes.push((await tellOf(sandbox, catalogue, ['--expose-gc', probeFile('heap')])).indexed);
  }
  return sizes;
}
