import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesOf } from '../catalogue.mjs';
import { startServer } from '../clients/server.mjs';
import { startStdio } from '../clients/stdio.mjs';
import { probeFile, program, quantile, runNode, summary } from '../measure.mjs';
import { single } from '../report.mjs';
import { many } from './figure.mjs';

/**
 * @typedef {{ ms: number, problem?: string | undefined }} Outcome all that is kept: a client full of texts would be slow
 * @typedef {{ skills: Outcome[], pings: Outcome[], wrong: string[], note: string }} Round
 *
 * @typedef {object} Condition what else goes on while a client calls
 * @property {string} name
 * @property {number} [limit] in milliseconds
 * @property {readonly string[]} [argv]
 * @property {number} [settleMs] from the end of the first scan to the first call that counts
 * @property {'written'} [skills] that some are written all the time
 */

/** Requests are sent by the clock, whether or not those before have been answered; every fifth is a ping. */
const everyMs = 4;
const pingShare = 5;
const rewritten = 100;

/** Until then a server that has just read everything sets up its watches, and looks once more. */
const settleMs = 4000;
const refreshing = ['--refresh-interval', '100'];

/** @type {readonly Condition[]} */
const conditions = [
  { name: 'right after the first scan' },
  { name: 'nothing else going on', limit: 5, settleMs },
  { name: 'refreshes one after another', limit: 20, settleMs, argv: refreshing },
  { name: `${rewritten} skills being written`, limit: 20, settleMs, skills: 'written' },
];

/**
 * How long a client waits for a skill among many. A ping, asked in between, is the least that a request can take.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function calls(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const { skills } = JSON.parse((await runNode(sandbox, catalogue, [program, 'list', '--json'])).output);
  const rows = [];
  for (const condition of conditions) {
    const rounds = [];
    while (rounds.length < (quick ? 1 : 3)) {
      rounds.push(await callsUnder(condition, sandbox, catalogue, skills, quick ? 1000 : 3000));
    }
    rows.push(...rowsOf(condition, rounds));
  }
  return rows;
}

/** @param {Condition} condition @param {readonly Round[]} rounds */
function rowsOf({ name, limit }, rounds) {
  const quantileOf = (/** @type {'skills' | 'pings'} */ what, /** @type {number} */ share) =>
    summary(rounds.map((one) => quantile(Float64Array.from(one[what], ({ ms }) => ms).sort(), share)));
  const [p50, slowest] = [0.5, 1].map((share) => quantileOf('skills', share).median.toFixed(1));
  const wrong = rounds.flatMap((one) => one.wrong);
  const asked = rounds.flatMap((one) => one.skills).length;
  const judged = /** @type {const} */ ('subject');
  return [
    {
      name: `p99 of skill, ${name}`,
      note: `p50 ${p50} ms, slowest ${slowest} ms${rounds[0]?.note}`,
      unit: 'ms',
      subject: quantileOf('skills', 0.99),
      floor: quantileOf('pings', 0.99),
      floorName: 'ping',
      ...(limit && { judged, limit }),
    },
    {
      name: `wrong answers, ${name}`,
      note: `of ${asked}${wrong.length > 0 ? `, such as ${JSON.stringify(wrong[0])}` : ''}`,
      unit: 'calls',
      subject: single(wrong.length),
      judged,
      limit: 0,
    },
  ];
}

/** @param {Condition} condition @returns {Promise<Round>} */
async function callsUnder({ argv = [], settleMs: settle, skills: state }, sandbox, catalogue, skills, count) {
  const names = namesOf(skills);
  const server = startStdio(sandbox, catalogue, { argv });
  await server.open();
  await server.ask('tools/list');
  await server.logged(/ready: /);
  if (settle !== undefined) {
    // Called often enough for Node to have compiled what a call needs.
    for (const name of names.slice(-500)) await callSkill(server, name);
    await sleep(settle);
  }
  const refreshes = server.lines(refreshLine).length;
  const writer = state && (await startWriter(sandbox, catalogue, skills));
  const round = await talk(server, writer ? mixed(names, writer.names) : names, count);
  await writer?.stop();
  await server.stop();
  const done = server.lines(refreshLine).length - refreshes;
  if (argv === refreshing && done < 3) throw new Error(`only ${done} refreshes in all that time`);
  return {
    ...round,
    note: `${writer ? `, each written ${writer.lines(/written: /).length} times` : ''}, ${done} refreshes`,
  };
}

const refreshLine = /refreshed: /;

/** Another process that writes some of the skills until it is stopped. */
async function startWriter(sandbox, catalogue, skills) {
  const chosen = skills.filter((_, index) => index % (many / rewritten) === 0);
  writeFileSync(sandbox.path('rewritten'), JSON.stringify(chosen.map(({ file }) => file)));
  const writer = startServer(sandbox, catalogue, [probeFile('rewrite'), sandbox.path('rewritten')]);
  await writer.logged(/written: 1 times/);
  return { ...writer, names: chosen.map(({ name }) => name) };
}

/** Every other call is for one of those that are being written. */
function mixed(names, written) {
  return names.flatMap((name, index) => [name, written[index % written.length]]);
}

/** @returns {Promise<Omit<Round, 'note'>>} */
async function talk(server, names, count) {
  /** @type {Promise<Outcome>[]} */
  const asked = [];
  /** @type {Promise<Outcome>[]} */
  const pings = [];
  for (let due = performance.now(); asked.length < count; ) {
    await sleep(1);
    for (; due <= performance.now(); due += everyMs) {
      const name = names[asked.length % names.length];
      if ((asked.length + pings.length) % pingShare === 0) pings.push(server.ask('ping').then(({ ms }) => ({ ms })));
      else asked.push(callSkill(server, name).then(({ ms, message }) => ({ ms, problem: problemOf(name, message) })));
    }
  }
  const skills = await Promise.all(asked);
  return { skills, pings: await Promise.all(pings), wrong: skills.flatMap(({ problem }) => problem ?? []) };
}

function callSkill(server, name) {
  return server.ask('tools/call', { name: 'skill', arguments: { name } });
}

/** What is wrong with an answer: an error, another skill, or no front matter where each has one. */
function problemOf(name, { error, result }) {
  if (error) return error.message;
  if (result.isError) return result.content[0].text.split('\n', 1)[0];
  const wanted = /([^:/]+)(?:\/SKILL\.md)?$/i.exec(name)?.[1]?.toLowerCase();
  const [header, ...content] = result.content[0].text.split('\n\n');
  const got = /^Loading: (.*)$/m.exec(header)?.[1] ?? '';
  if (got.toLowerCase() !== wanted) return `${got} for ${name}`;
  return content[0]?.startsWith('---\n') ? undefined : `${name} without its front matter`;
}
