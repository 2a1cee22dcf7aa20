import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { createClient } from '../clients/http.mjs';
import { cpuMsOf } from '../clients/server.mjs';
import { summary, takeTurns } from '../measure.mjs';
import { Team } from '../team/team.mjs';

const calls = {
  load: { name: 'skill', arguments: { name: 'case-1' } },
  search: { name: 'skill-engine/search_skills', arguments: { query: 'settle a case' } },
};

/** Calls to each server in one turn: enough for what Node does between calls to be in every turn alike. */
const inTurn = 300;

/**
 * What a call costs two servers of a cluster that are used at once, beside what it costs the same two one after the other. Servers
 * share nothing that a load or a search waits for: on processors of their own two answer 2 / ratio times as many as one, and 1.7
 * are promised. Processor time says so on any machine; two servers, their clients and the cluster do not fit onto two processors
 * at once. Both sides do the same work: each server answers as many calls, and stays on a processor of its own. Where the system
 * moves servers about, which it does far more with two of them at once, it is what they lose in its caches that is measured.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function servers(_sandbox, quick) {
  const team = new Team();
  try {
    for (let at = 0; at < 200; at++) {
      team.write(
        `shared/skills/case-${at}/SKILL.md`,
        `---\nname: case-${at}\ndescription: Settles case ${at}.\n---\n\n${'Compare the reports.\n'.repeat(100)}`,
      );
    }
    const obstacle = await team.start({ nodes: 1, servers: 2, workers: 0 }).catch((error) => String(error.message));
    if (obstacle !== undefined) return [{ ...rowOf('load'), unmeasured: obstacle.split('\n', 1)[0] }];
    for (const [at, { pid }] of team.of('server').entries()) {
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(at % cpus().length), String(pid)]);
    }
    const rows = [];
    for (const kind of /** @type {const} */ (['load', 'search']))
      rows.push(await measured(team, kind, quick ? 10 : 40));
    return rows;
  } finally {
    await team.remove();
  }
}

/** @param {keyof typeof calls} kind */
function rowOf(kind) {
  return {
    name: `processor time of a ${kind}, two servers of a cluster at once`,
    unit: 'ms CPU',
    floorName: 'one by one',
    judged: /** @type {const} */ ('ratio of medians'),
    limit: 1.18,
  };
}

/** @param {Team} team @param {keyof typeof calls} kind @param {number} times */
async function measured(team, kind, times) {
  const both = team.of('server').map(({ url, pid }) => ({ client: createClient(url, 'modern', 1), pid }));
  const spent = () => both.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  const use = async (/** @type {(typeof both)[number]} */ { client }) => {
    for (let at = 0; at < inTurn; at++) {
      if (!(await client.call(calls[kind]))) throw new Error(`no answer to a ${kind}`);
    }
  };
  const cost = (/** @type {() => Promise<unknown>} */ work) => async () => {
    const before = spent();
    await work();
    return (spent() - before) / inTurn / both.length;
  };
  const atOnce = cost(() => Promise.all(both.map(use)));
  const oneByOne = cost(async () => {
    for (const one of both) await use(one);
  });
  // Node has compiled what they need before they are compared.
  for (let time = 0; time < 5; time++) await atOnce();
  const [two, one] = await takeTurns(times, atOnce, oneByOne);
  for (const { client } of both) client.close();
  return { ...rowOf(kind), subject: summary(two), floor: summary(one) };
}
