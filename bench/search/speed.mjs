import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundledProbe } from '../bundle.mjs';
import { floorFile, probeFile, quantile, summary, tellOf } from '../measure.mjs';
import { single } from '../report.mjs';
import { readQueries } from './questions.mjs';

/**
 * @typedef {object} Limits
 * @property {number} queryMs for the 95th of a hundred queries
 * @property {number} [openMs]
 * @property {number} [modelMs]
 * @property {{ above: 'registry' | 'nothing', limit: number }} openedMb
 */

const mega = 1e6;
const judged = /** @type {const} */ ('subject');

/**
 * Searches a crowd of skills whose index is on disk: the whole library, and its parts by themselves.
 *
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {import('../catalogue.mjs').Catalogue} crowd
 * @param {number} count
 * @param {{ times: number, rounds: number, limits: Limits }} options
 * @returns {Promise<import('../report.mjs').Row[]>}
 */
export async function measureSearch(sandbox, crowd, count, { times, rounds, limits }) {
  sandbox.clearCache();
  await tellOf(sandbox, crowd, [probeFile('library'), 'index-all']);
  const file = indexFileIn(sandbox);
  const parts = await bundledProbe(sandbox, 'search-parts');
  const queries = JSON.stringify(readQueries().map(({ query }) => query));
  const [whole, alone, reads, products] = [[], [], [], []];
  while (whole.length < times) {
    whole.push(await tellOf(sandbox, crowd, ['--expose-gc', probeFile('library'), 'search', String(rounds)]));
    products.push(await tellOf(sandbox, crowd, [floorFile('products'), String(count), '40']));
    alone.push(await tellOf(sandbox, crowd, ['--expose-gc', parts, file, queries]));
    reads.push(await tellOf(sandbox, crowd, [floorFile('walk'), 'read', file]));
  }
  if (whole.some(({ index }) => index.added > 0)) throw new Error('the index was not on disk');
  return [
    ...openRows(count, { whole, alone, reads }, limits),
    ...queryRows(count, { whole, alone, products }, limits),
    ...memoryRows(count, { whole, alone, products }, limits),
    {
      name: `index file, bytes per skill, ${count} skills`,
      note: `${alone[0].terms} terms`,
      unit: 'bytes',
      subject: single(statSync(file).size / count),
    },
  ];
}

/** The one index of a cache that was empty before. @param {import('../sandbox.mjs').Sandbox} sandbox */
export function indexFileIn(sandbox) {
  const folder = sandbox.path('cache/repertoire/index');
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.index')) ?? '');
}

function openRows(count, { whole, alone, reads }, { openMs, modelMs }) {
  const floor = { floor: summary(reads.map(({ wallMs }) => wallMs)), floorName: 'read of the file' };
  return [
    {
      name: `open the index, ${count} skills`,
      unit: 'ms',
      subject: summary(alone.map(({ indexMs }) => indexMs)),
      ...floor,
      ...(openMs && { judged, limit: openMs }),
    },
    {
      name: `first search of a process, everything opened, ${count} skills`,
      note: `the registry before it ${Math.round(summary(whole.map(({ registryMs }) => registryMs)).min)} ms`,
      unit: 'ms',
      subject: summary(whole.map((one) => one.openMs)),
      ...floor,
    },
    {
      name: 'load the embedding table',
      unit: 'ms',
      subject: summary(alone.map((one) => one.modelMs)),
      ...(modelMs && { judged, limit: modelMs }),
    },
  ];
}

function queryRows(count, { whole, alone, products }, { queryMs }) {
  const floor = {
    floor: summary(products.map(({ waits }) => shareOf(waits, 0.5))),
    floorName: 'products in plain JavaScript',
  };
  const waits = whole.map((one) => one.waits.map(({ ms }) => ms));
  const cpu = summary(
    whole.map((one) =>
      shareOf(
        one.waits.map(({ cpuMs }) => cpuMs),
        0.95,
      ),
    ),
  );
  const all = whole.flatMap((one) => one.waits);
  const waitsOf = (/** @type {string} */ kind) => all.filter((one) => one.kind === kind).map(({ ms }) => ms);
  const slowest = ['short', 'typo', 'zh', 'long'].map((kind) => `${kind} ${shareOf(waitsOf(kind), 0.95).toFixed(1)}`);
  return [
    {
      name: `p95 of a search, ${count} skills`,
      note: `p50 ${summary(waits.map((one) => shareOf(one, 0.5))).min.toFixed(1)} ms, p95 of CPU ${cpu.min.toFixed(1)} ms; p95 ${slowest.join(', ')}`,
      unit: 'ms',
      subject: summary(waits.map((one) => shareOf(one, 0.95))),
      ...floor,
      judged,
      limit: queryMs,
    },
    {
      name: `p95 of the ranking alone, ${count} skills`,
      note: `p50 ${summary(alone.map((one) => shareOf(one.waits, 0.5))).min.toFixed(2)} ms`,
      unit: 'ms',
      subject: summary(alone.map((one) => shareOf(one.waits, 0.95))),
      ...floor,
    },
  ];
}

function memoryRows(count, { whole, alone, products }, { openedMb: { above, limit } }) {
  const floor = { floor: summary(products.map(({ rss }) => rss / mega)), floorName: 'bare Node' };
  const held = (/** @type {string} */ when) =>
    summary(whole.map(({ bytes }) => (bytes[when] - (above === 'registry' ? bytes.registry : 0)) / mega));
  const what = above === 'registry' ? 'memory above the registry' : 'memory of the whole process';
  const row = { unit: 'MB', ...floor };
  const heap = { used: Math.round(whole[0].heap.used / mega), total: Math.round(whole[0].heap.total / mega) };
  return [
    { ...row, name: `${what}, first search done, ${count} skills`, subject: held('opened'), judged, limit },
    { ...row, name: `${what}, hundreds of searches later, ${count} skills`, subject: held('busy') },
    {
      ...row,
      name: `${what}, garbage collected, ${count} skills`,
      note: `of the heap ${heap.used} MB used, ${heap.total} MB reserved`,
      subject: held('settled'),
    },
    {
      ...row,
      name: `memory of index, table and ranking alone, ${count} skills`,
      subject: summary(alone.map(({ rss }) => rss / mega)),
    },
  ];
}

/** @param {readonly number[]} waits @param {number} share */
function shareOf(waits, share) {
  return quantile(Float64Array.from(waits).sort(), share);
}
