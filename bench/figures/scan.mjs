import { readFileSync } from 'node:fs';
import { cpuMsOf } from '../clients/server.mjs';
import { startStdio } from '../clients/stdio.mjs';
import {
  cpuOf,
  floorFile,
  hookFile,
  probeFile,
  program,
  quantile,
  runNode,
  summary,
  takeTurns,
  tellOf,
} from '../measure.mjs';
import { single } from '../report.mjs';
import { layoutsOf, many } from './figure.mjs';

/**
 * What it costs to find everything unchanged.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function warm(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const list = [program, 'list', '--json'];
  sandbox.clearCache();
  const opensFile = sandbox.path('opens');
  const countOpens = async () => {
    const { output } = await runNode(sandbox, catalogue, ['--require', hookFile('opens'), ...list], {
      BENCH_OPENS_FILE: opensFile,
    });
    const listed = JSON.parse(output).skills.length;
    if (listed !== many) throw new Error(`${listed} skills listed, not ${many}`);
    return Number(readFileSync(opensFile, 'utf8'));
  };
  const coldOpens = await countOpens();
  // A counter that misses openings would prove anything.
  if (coldOpens !== many) throw new Error(`the hook saw ${coldOpens} files opened by a cold scan, not ${many}`);
  const warmOpens = await countOpens();
  const [subject, floor] = await takeTurns(
    quick ? 3 : 15,
    () => runNode(sandbox, catalogue, list),
    () => runNode(sandbox, catalogue, [floorFile('walk'), 'once', ...catalogue.roots]),
  );
  return [
    {
      name: 'SKILL.md opened by list --json',
      unit: 'files',
      subject: single(warmOpens),
      floor: single(coldOpens),
      floorName: 'cold',
      judged: 'subject',
      limit: 0,
    },
    {
      name: 'list --json, all cached',
      unit: 'ms CPU',
      subject: cpuOf(subject),
      floor: cpuOf(floor),
      floorName: 'walk and stat',
      judged: 'ratio',
      limit: 2,
    },
  ];
}

/**
 * What it costs to read everything for the first time, the writing of the cache included.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function cold(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const [subject, floor] = await takeTurns(
    quick ? 3 : 9,
    () => {
      sandbox.clearCache();
      return runNode(sandbox, catalogue, [program, 'list', '--json']);
    },
    () => runNode(sandbox, catalogue, [floorFile('walk'), 'parse', ...catalogue.roots]),
  );
  const parsed = JSON.parse(floor[0]?.output ?? '{}').skills;
  if (parsed !== many) throw new Error(`the floor read ${parsed} skills, not ${many}`);
  return [
    {
      name: 'list --json, no cache',
      unit: 'ms CPU',
      subject: cpuOf(subject),
      floor: cpuOf(floor),
      floorName: 'walk, read, parse YAML',
      judged: 'ratio',
      limit: 2,
    },
  ];
}

/**
 * The times we promise to whoever waits. They are times on a clock, so the floor's are too.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function promises(sandbox, quick) {
  const times = quick ? 3 : 9;
  const thousand = await sandbox.catalogue(1000);
  const [firsts, smallWalks] = await takeTurns(
    times,
    () => {
      sandbox.clearCache();
      return tellOf(sandbox, thousand, [probeFile('library'), 'scan', '0']);
    },
    () => tellOf(sandbox, thousand, [floorFile('walk'), 'once', ...thousand.roots]),
  );
  const all = await sandbox.catalogue(many);
  sandbox.clearCache();
  const [refreshes, walks] = await takeTurns(
    times,
    () => tellOf(sandbox, all, [probeFile('library'), 'scan', '3']),
    () => tellOf(sandbox, all, [floorFile('walk'), 'once', ...all.roots]),
  );
  const row = { unit: 'ms', floorName: 'walk and stat', judged: /** @type {const} */ ('subject'), limit: 1000 };
  return [
    {
      ...row,
      name: 'first scan of 1,000',
      subject: summary(firsts.map(({ first }) => first)),
      floor: summary(smallWalks.map(({ wallMs }) => wallMs)),
    },
    {
      ...row,
      name: 'refresh of 10,000 unchanged',
      subject: summary(refreshes.flatMap(({ later }) => later)),
      floor: summary(walks.map(({ wallMs }) => wallMs)),
    },
  ];
}

/**
 * How long a scan keeps everything else waiting. A plain walk lets nothing run until it ends, so that is the floor.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function blocking(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const rows = [];
  for (const isCold of [true, false]) {
    for (const { layout, folder } of layoutsOf(catalogue)) {
      const [blocks, walks] = await takeTurns(
        quick ? 1 : 7,
        () => {
          if (isCold) sandbox.clearCache();
          return tellOf(sandbox, catalogue, [probeFile('library'), 'block', ...folder]);
        },
        () => tellOf(sandbox, catalogue, [floorFile('walk'), 'once', ...catalogue.roots]),
      );
      rows.push({
        name: `longest block of the event loop, ${isCold ? 'cold' : 'warm'} scan, ${layout}`,
        unit: 'ms',
        subject: summary(blocks.map(({ longest }) => longest)),
        floor: summary(walks.map(({ wallMs }) => wallMs)),
        floorName: 'walk and stat',
      });
    }
  }
  return rows;
}

/** Seldom enough for each to have ended before the next. */
const intervalMs = 1500;
const line = /refreshed: /;

/**
 * What it costs a server to find that nothing has changed, with all that it does besides. The floor walks the same
 * folders as often, in one process as well, for that gets faster as it is compiled.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function refresh(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const times = 5;
  const [subject, floor] = await takeTurns(
    quick ? 2 : 5,
    () => refreshesOf(sandbox, catalogue, times),
    () => tellOf(sandbox, catalogue, [floorFile('walk'), 'again', String(times), ...catalogue.roots]),
  );
  return [
    {
      name: `refresh in the server, ${many} unchanged`,
      unit: 'ms CPU',
      subject: cpuOf(subject.flat()),
      floor: cpuOf(floor.flat()),
      floorName: 'walk and stat',
      judged: 'ratio',
      limit: 1.5,
    },
  ];
}

async function refreshesOf(sandbox, catalogue, times) {
  const server = startStdio(sandbox, catalogue, { argv: ['--refresh-interval', String(intervalMs)] });
  await server.open();
  await server.ask('tools/list');
  await server.logged(line); // the first is compiled as it runs, and everything is watched by then
  const samples = [];
  for (let before = cpuMsOf(server.pid); samples.length < times; ) {
    await server.logged(line, samples.length + 2);
    const now = cpuMsOf(server.pid);
    samples.push({ cpuMs: now - before });
    before = now;
  }
  await server.stop();
  return samples;
}

/** @typedef {import('../report.mjs').Row} Row */

/**
 * What a name costs to resolve among many, alone and while a refresh runs.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function lookup(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const rows = await alone(sandbox, catalogue, quick ? 1 : 5);
  for (const { layout, folder } of layoutsOf(catalogue)) {
    rows.push(...(await duringRefresh(sandbox, catalogue, quick ? 1 : 5, layout, folder)));
  }
  return rows;
}

/** @returns {Promise<Row[]>} */
async function alone(sandbox, catalogue, times) {
  const told = [];
  while (told.length < times) told.push(await tellOf(sandbox, catalogue, [probeFile('library'), 'lookup']));
  const timesOf = (/** @type {string} */ what) => summary(told.flatMap((one) => one[what]));
  return [
    {
      name: 'resolve a name',
      note: `${told[0].names} different ones`,
      unit: 'µs',
      subject: timesOf('resolve'),
      floor: timesOf('map'),
      floorName: 'Map.get',
      judged: 'subject',
      limit: 50,
    },
    { name: 'resolve an unknown name, with suggestions', unit: 'µs', subject: timesOf('miss') },
  ];
}

/** @returns {Promise<Row[]>} */
async function duringRefresh(sandbox, catalogue, times, layout, folder) {
  const told = [];
  while (told.length < times) told.push(await tellOf(sandbox, catalogue, [probeFile('library'), 'during', ...folder]));
  const quantilesOf = (/** @type {string} */ what, /** @type {number} */ share) =>
    summary(told.map((one) => quantile(Float64Array.from(one[what]).sort(), share)));
  return ['unchanged', 'changed'].map((what) => ({
    name: `p99 lookup during a refresh, all ${what}, ${layout}`,
    note: `slowest ${Math.round(quantilesOf(what, 1).median)} ms`,
    unit: 'ms',
    subject: quantilesOf(what, 0.99),
    floor: quantilesOf('idle', 0.99),
    floorName: 'no refresh',
    judged: 'subject',
    limit: 100,
  }));
}
