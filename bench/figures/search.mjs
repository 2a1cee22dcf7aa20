import { floorFile, probeFile, summary, takeTurns, tellOf } from '../measure.mjs';
import { single } from '../report.mjs';
import { crowdOf, realLength } from '../search/crowd.mjs';
import { measureSearch } from '../search/speed.mjs';
import { many } from './figure.mjs';

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

const judged = /** @type {const} */ ('subject');

/**
 * What it costs to make an index, for who waits and for who does something else in the same process; and what one
 * changed skill costs later. The floor is a plain read of every SKILL.md.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function indexing(sandbox, quick) {
  const rows = [];
  for (const { size, lengths } of [{ size: '1 kB' }, { size: 'lengths of real ones', lengths: realLength }]) {
    const crowd = await crowdOf(sandbox, many, lengths);
    rows.push(...(await firstIndex(sandbox, crowd, size, quick ? 1 : 3)));
  }
  return [...rows, ...(await oneChange(sandbox, await crowdOf(sandbox, many), quick ? 5 : 15))];
}

async function firstIndex(sandbox, crowd, size, times) {
  const anew = (/** @type {string} */ probe) => {
    sandbox.clearCache();
    return tellOf(sandbox, crowd, [probeFile('library'), probe]);
  };
  const cold = [];
  const [subject, floor] = await takeTurns(
    times,
    async () => {
      cold.push(await anew('first-search'));
      return anew('index-all');
    },
    () => tellOf(sandbox, crowd, [floorFile('walk'), 'read', ...crowd.roots]),
  );
  const missed = [...subject, ...cold].find(({ index }) => index.ready !== many || index.added !== many);
  if (missed) throw new Error(`not all were indexed: ${JSON.stringify(missed.index)}`);
  const row = {
    unit: 'ms',
    floor: summary(floor.map(({ wallMs }) => wallMs)),
    floorName: 'read of all SKILL.md',
    judged,
  };
  return [
    {
      ...row,
      name: `first search of all, ${many} skills to be read and indexed, ${size}`,
      note: `${Math.round(summary(cold.map(({ cpuMs }) => cpuMs)).min)} ms of CPU on all threads; peak ${Math.round(cold[0].peak / 1e6)} MB`,
      subject: summary(cold.map(({ coldMs }) => coldMs)),
      limit: 4000,
    },
    {
      ...row,
      name: `first index of ${many} skills, ${size}`,
      note: `${(floor[0].bytes / 1e6).toFixed(0)} MB of SKILL.md; peak ${Math.round(subject[0].peak / 1e6)} MB`,
      subject: summary(subject.map(({ wallMs }) => wallMs)),
      limit: 8000,
    },
    {
      ...row,
      name: `longest block of the event loop meanwhile, ${size}`,
      subject: summary(subject.map(({ longest }) => longest)),
      limit: 50,
    },
  ];
}

async function oneChange(sandbox, crowd, turns) {
  sandbox.clearCache();
  await tellOf(sandbox, crowd, [probeFile('library'), 'index-all']);
  const { waits, added } = await tellOf(sandbox, crowd, [probeFile('library'), 'index-one', String(turns)]);
  return [
    {
      name: `one of ${many} skills changed: search until it is found`,
      unit: 'ms',
      subject: summary(waits.map(({ search }) => search)),
      floor: summary(waits.map(({ refresh }) => refresh)),
      floorName: 'look at the disk before it',
    },
    {
      name: `one of ${many} skills changed: skills read for that`,
      unit: 'skills',
      subject: single(Math.max(...added)),
      judged,
      limit: 1,
    },
  ];
}
