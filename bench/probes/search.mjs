import { readQueries } from '../search/questions.mjs';
import { openRepertoire, tell } from './library.mjs';

/**
 * A process that finds an index on disk: what the registry took, what the first search takes with all that it opens,
 * how long each further one takes, and what is held in memory at each of these points.
 */
const rounds = Number(process.argv[2]);
const queries = readQueries();
const repertoire = openRepertoire();

function residentBytes() {
  // What stays, not what waits to be collected; once is not always enough.
  for (let round = 0; round < 4; round++) globalThis.gc?.();
  return process.memoryUsage.rss();
}

const [registryMs] = await timed(() => repertoire.refresh());
const registry = residentBytes();
const [openMs, { index }] = await timed(() => repertoire.search('merge several spreadsheets into one'));
const opened = residentBytes();

/** @type {{ kind: string, ms: number, cpuMs: number }[]} */
const waits = [];
for (let round = -1; round < rounds; round++) {
  for (const { query, kind } of queries) {
    const before = process.cpuUsage();
    const [ms] = await timed(() => repertoire.search(query));
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) waits.push({ kind, ms, cpuMs: (user + system) / 1000 }); // the first round is for the compiler
  }
}
const busy = process.memoryUsage.rss();
const settled = residentBytes();
const { heapUsed: used, heapTotal: total } = process.memoryUsage();
tell({ registryMs, openMs, index, waits, bytes: { registry, opened, busy, settled }, heap: { used, total } });
repertoire.close();

/** @template T @param {() => Promise<T>} work @returns {Promise<[ms: number, result: T]>} */
async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}
