import { createClient } from '../clients/http.mjs';
import { cpuMsOf } from '../clients/server.mjs';
import { summary, takeTurns } from '../measure.mjs';
import { Team } from '../team/team.mjs';

const calls = {
  load: { name: 'skill', arguments: { name: 'case-1' } },
  search: { name: 'skill-engine/search_skills', arguments: { query: 'settle a case' } },
};

/** Calls in one turn: enough for the kernel's clock. */
const inTurn = 100;

/**
 * What a call costs two servers of a cluster that are used at once, beside what it costs one alone. Servers share nothing that
 * a load or a search waits for: on processors of their own two answer 2 / ratio times as many as one, and 1.7 are promised.
 * Processor time says so on any machine; two servers, their clients and the cluster do not fit onto two processors at once.
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
    floorName: 'one alone',
    judged: /** @type {const} */ ('ratio of medians'),
    limit: 1.18,
  };
}

/** @param {Team} team @param {keyof typeof calls} kind @param {number} times */
async function measured(team, kind, times) {
  const both = team.of('server').map(({ url, pid }) => ({ client: createClient(url, 'modern', 1), pid }));
  const cost = (/** @type {typeof both} */ used) => async () => {
    const spent = () => used.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
    const before = spent();
    await Promise.all(
      used.map(async ({ client }) => {
        for (let at = 0; at < inTurn; at++) {
          if (!(await client.call(calls[kind]))) throw new Error(`no answer to a ${kind}`);
        }
      }),
    );
    return (spent() - before) / inTurn / used.length;
  };
  // Node has compiled what they need before they are compared.
  for (let time = 0; time < 5; time++) await cost(both)();
  const [two, one] = await takeTurns(times, cost(both), cost(both.slice(0, 1)));
  for (const { client } of both) client.close();
  return { ...rowOf(kind), subject: summary(two), floor: summary(one) };
}
