import { existsSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { endServers } from './clients/server.mjs';
import { calls } from './figures/calls.mjs';
import { webConsole } from './figures/console.mjs';
import { execute } from './figures/execute.mjs';
import { add, frozen, scanning } from './figures/get.mjs';
import { heap, resident } from './figures/memory.mjs';
import { reach } from './figures/reach.mjs';
import { audit, docker, native, wasm } from './figures/run.mjs';
import { blocking, cold, lookup, promises, refresh, warm } from './figures/scan.mjs';
import { indexing, search, searchLarge } from './figures/search.mjs';
import { floods, http } from './figures/serve.mjs';
import { servers } from './figures/servers.mjs';
import { handshake, opening, packageSize, start } from './figures/start.mjs';
import { workers } from './figures/workers.mjs';
import { program } from './measure.mjs';
import { judge, tableOf } from './report.mjs';
import { Sandbox } from './sandbox.mjs';

/**
 * Measures what the program and the library promise, each against a floor measured beside it, and fails when a
 * promise is broken. See docs/benchmarks.md.
 */
const figures = {
  start,
  warm,
  cold,
  lookup,
  heap,
  promises,
  blocking,
  opening,
  handshake,
  resident,
  calls,
  refresh,
  http,
  console: webConsole,
  search,
  indexing,
  native,
  wasm,
  docker,
  audit,
  execute,
  workers,
  servers,
  reach,
  add,
  frozen,
  scanning,
  package: packageSize,
  'search-large': searchLarge,
  floods,
};

/** Measured only when asked for by name: these take minutes each. */
const onDemand = new Set(['search-large', 'floods', 'scanning']);

/** What guards start-up before every change that lands: less than a minute. */
const guards = {
  start,
  opening: (/** @type {Sandbox} */ sandbox, /** @type {boolean} */ quick) => opening(sandbox, quick, 1000),
  package: packageSize,
};

/**
 * How far beyond its limit a guarded ratio may lie. A crowded cache makes a start dearer that reads more: at a load of 29 on
 * two processors, `start` came to 1.49 instead of 1.3 to 1.4, and of 20,000 draws of 20 turns the worst to 1.6.
 */
const slack = 1.25;

const { values } = parseArgs({
  options: {
    guard: { type: 'boolean' },
    json: { type: 'boolean' },
    quick: { type: 'boolean' },
    only: { type: 'string', multiple: true },
  },
});
const isQuick = values.quick === true || values.guard === true;
const unknown = values.only?.find((name) => !Object.hasOwn(figures, name));

if (unknown !== undefined) {
  process.stderr.write(`There is no figure '${unknown}'; there are ${Object.keys(figures).join(', ')}.\n`);
  process.exitCode = 2;
} else if (!existsSync(program)) {
  process.stderr.write('There is nothing to measure yet; run npm run build first.\n');
  process.exitCode = 2;
} else {
  await run();
}

async function run() {
  const sandbox = new Sandbox();
  // Whoever interrupts a benchmark should not find a hundred thousand files left behind.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      endServers();
      sandbox.remove();
      process.kill(process.pid, signal);
    });
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model, cpus: cpus().length, load: loadavg()[0] };
  const verdicts = await measured(sandbox).finally(() => {
    endServers();
    sandbox.remove();
  });
  if (values.json) {
    console.log(JSON.stringify({ machine: { ...machine, loadAfter: loadavg()[0] }, figures: verdicts }, null, 2));
  } else {
    const { node, cpu, cpus: count, load } = machine;
    console.log(
      `Node ${node} on ${count} × ${cpu}; load ${load} before, ${loadavg()[0]} after\n\n${tableOf(verdicts)}`,
    );
  }
  if (verdicts.some(({ passed }) => passed === false)) process.exitCode = 1;
}

/** @param {Sandbox} sandbox @returns {Promise<import('./report.mjs').Verdict[]>} */
async function measured(sandbox) {
  const verdicts = [];
  for (const [figure, measure] of Object.entries(values.guard ? guards : figures)) {
    if (values.only ? !values.only.includes(figure) : onDemand.has(figure)) continue;
    process.stderr.write(`measuring ${figure} …\n`);
    for (const row of await measure(sandbox, isQuick)) verdicts.push(judge(figure, values.guard ? lenient(row) : row));
  }
  return verdicts;
}

/** A ratio as a busy machine is judged by it: medians, since one lucky run of the floor would say anything. @param {import('./report.mjs').Row} row */
function lenient(row) {
  if (row.judged !== 'ratio' || row.limit === undefined) return row;
  return { ...row, judged: /** @type {const} */ ('ratio of medians'), limit: row.limit * slack };
}
