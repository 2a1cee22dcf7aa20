import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '@nats-io/transport-node';
import { writeCatalogue } from './catalogue.mjs';
import { createClient } from './clients/http.mjs';
import { cpuMsOf, residentMbOf } from './clients/server.mjs';
import { many } from './figures/figure.mjs';
import { heap } from './figures/memory.mjs';
import { Sandbox } from './sandbox.mjs';
import { Caller } from './team/clients.mjs';
import { freePorts } from './team/part.mjs';
import { Team } from './team/team.mjs';

/**
 * Measures what one more skill, client, worker and execution costs a team, and works out what a million, ten thousand and a
 * thousand of them would: `npm run build && node bench/scale.mjs`. docs/scale.md quotes it, and says what breaks first.
 */
const { values } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' } } });
/** How many of each are there to measure with. */
const size = values.quick
  ? { published: 40, local: 500, sessions: 50, calls: 50, executions: 20, connections: 50, messages: 20_000 }
  : { published: 400, local: 5000, sessions: 500, calls: 500, executions: 200, connections: 500, messages: 200_000 };

/** A large team, and how often each of its clients asks for each thing. */
const large = { skills: 1_000_000, clients: 10_000, workers: 1000, servers: 10, perSecond: 1 / 60 };

const noop = {
  ...{ kind: /** @type {const} */ ('execute'), name: 'skill-engine/execute', expected: 'exited' },
  arguments: { skill_name: 'noop', tool_name: 'noop', parameters: {} },
};
const search = {
  ...{ kind: /** @type {const} */ ('search'), name: 'skill-engine/search_skills', expected: '' },
  arguments: { query: 'review a contract' },
};
const load = { kind: /** @type {const} */ ('load'), name: 'skill', arguments: { name: 'noop' }, expected: 'Nothing' };

const team = new Team();
const [monitoring = 0] = await freePorts(1);
try {
  const costs = await measured();
  console.log(values.json ? JSON.stringify(costs, null, 2) : `${costTable(costs)}\n\n${scaleTable(costs)}`);
} finally {
  await team.remove();
}

/** @typedef {Awaited<ReturnType<typeof measured>>} Costs */

async function measured() {
  team.write('shared/skills/noop/SKILL.md', '---\nname: noop\ndescription: Does nothing.\n---\n\n# Nothing\n');
  team.write('shared/skills/noop/skill.toml', '[tools.noop]\ncommand = ["true"]\n');
  say('starting');
  await team.start({ nodes: 1, servers: 1, workers: 1, monitoring });
  const warmUp = new Caller(team.url, 'modern');
  for (const call of [noop, load, search, noop]) await warmUp.ask(call);
  if (warmUp.calls.some(({ outcome }) => outcome !== 'answer')) throw new Error(JSON.stringify(warmUp.calls));
  const skill = await skillCosts();
  return {
    skill: { ...skill, ...(await localCosts()), ...(await memoryCosts()) },
    client: await clientCosts(),
    ...(await callCosts(warmUp)),
    worker: await workerCosts(),
    message: await messageCosts(),
  };
}

/** What a published skill costs the cluster, and the server that takes it in. */
async function skillCosts() {
  say(`publishing ${size.published} skills`);
  const folders = Array.from({ length: size.published }, (_, at) => writeSkill(at));
  const before = await cluster();
  const server = await costsOf('server', async () => {
    await team.done('author', ['publish', ...folders, '--to', team.cluster]);
    await until(() => keptSkills() >= folders.length);
    await settled('server');
  });
  const after = await cluster();
  const again = await costsOf('server', async () => {
    await team.of('server')[0]?.kill();
    await team.of('server')[0]?.start();
    await settled('server');
  });
  return {
    storedBytes: (after.stored - before.stored) / folders.length,
    diskBytes: bytesBelow(team.path('server-1/.local/state/repertoire/get/skills')) / folders.length,
    takeInMs: server.cpuMs / folders.length,
    compareMessages: (again.messages - 20) / folders.length,
    compareBytes: again.bytes / folders.length,
  };
}

/** A skill of the usual size: four kilobytes of text, and two files. @param {number} at */
function writeSkill(at) {
  const folder = `author/skills/case-${at}`;
  const lines = Array.from(
    { length: 60 },
    (_, line) => `${line}. Compare the report of case ${at} with page ${line * at}.`,
  );
  team.write(
    `${folder}/SKILL.md`,
    `---\nname: case-${at}\ndescription: Settles case ${at}.\n---\n\n${lines.join('\n')}\n`,
  );
  for (const name of ['reference.md', 'examples.md']) team.write(`${folder}/${name}`, lines.slice(0, 20).join('\n'));
  return team.path(folder);
}

/** What each change of the catalogue costs for every skill that has not changed. */
async function localCosts() {
  const changeCost = async () => {
    const { cpuMs } = await costsOf('server', async () => {
      team.write('author/skills/news/SKILL.md', `---\nname: news\ndescription: News of ${Date.now()}.\n---\n`);
      await team.done('author', ['publish', team.path('author/skills/news'), '--to', team.cluster]);
      await settled('server');
    });
    return cpuMs;
  };
  await changeCost();
  const few = await changeCost();
  say(`reading ${size.local} skills`);
  writeCatalogue(team.path('shared/skills/many'), size.local);
  await sleep(2500); // files younger than that are read again
  for (let time = 0; time < 2; time++) {
    await team.of('server')[0]?.kill();
    await team.of('server')[0]?.start();
    const client = new Caller(team.url, 'modern');
    await client.ask(search);
    await client.close();
    await settled('server');
  }
  await changeCost();
  return { changeMs: Math.max((await changeCost()) - few, 0) / size.local };
}

/** What a skill costs in the memory of a process that has read and indexed it. */
async function memoryCosts() {
  say('measuring the memory of skills');
  const sandbox = new Sandbox();
  const rows = await heap(sandbox, true).finally(() => sandbox.remove());
  return { memoryBytes: ((rows.at(-1)?.subject?.min ?? Number.NaN) * 1e6) / many };
}

/** What an idle client costs that has a session and listens to what changes. */
async function clientCosts() {
  say(`opening ${size.sessions} sessions`);
  const before = { ...(await cluster()), mb: residentMb('server') };
  const clients = Array.from({ length: size.sessions }, () => createClient(team.url, 'legacy', 1));
  for (const client of clients) {
    await client.open();
    await client.listen();
  }
  await settled('server');
  const opened = { ...(await cluster()), mb: residentMb('server') };
  for (const client of clients) client.close();
  return {
    sessionBytes: ((opened.mb - before.mb) * 1e6) / size.sessions,
    sessionMessages: (opened.messages - before.messages) / size.sessions,
    sessionStoredBytes: (opened.stored - before.stored) / size.sessions,
  };
}

/** What calls cost: processor time of each part, and messages of the cluster. @param {Caller} caller */
async function callCosts(caller) {
  say('calling');
  const often = async (/** @type {import('./team/clients.mjs').Question} */ call, /** @type {number} */ times) => {
    const before = await cluster();
    const parts = ['server', 'worker', 'node'].map((kind) => cpuMs(kind));
    for (let time = 0; time < times; time++) await caller.ask(call);
    const after = await cluster();
    const [serverMs, workerMs, nodeMs] = ['server', 'worker', 'node'].map(
      (kind, at) => (cpuMs(kind) - parts[at]) / times,
    );
    return {
      ...{ serverMs, workerMs, nodeMs },
      messages: (after.messages - before.messages) / times,
      bytes: (after.bytes - before.bytes) / times,
    };
  };
  return {
    load: await often(load, size.calls),
    search: await often(search, size.calls),
    execution: await often(noop, size.executions),
  };
}

/** What a worker that does nothing costs a node of the cluster: a connection with what workers listen to. */
async function workerCosts() {
  const before = residentMb('node');
  const connections = [];
  for (let at = 0; at < size.connections; at++) {
    const connection = await connect({ servers: team.cluster });
    for (const subject of ['run.native.-', `control.${at}.*`, 'workers']) {
      connection.subscribe(`scale.${subject}`, {
        queue: subject.startsWith('run') ? 'workers' : undefined,
        callback() {},
      });
    }
    await connection.flush();
    connections.push(connection);
  }
  const after = residentMb('node');
  for (const connection of connections) await connection.close();
  const status = await team.done('author', ['cluster', 'status', '--json', '--cluster', team.cluster]);
  return {
    connectionBytes: ((after - before) * 1e6) / size.connections,
    residentMb: residentMb('worker'),
    factsBytes: JSON.stringify(JSON.parse(status).workers[0]).length,
  };
}

/** What a message from one connection to another costs a node when many come at once. */
async function messageCosts() {
  const [from, to] = [await connect({ servers: team.cluster }), await connect({ servers: team.cluster })];
  const bytes = new Uint8Array(200);
  let missing = size.messages;
  const { cpuMs: nodeMs } = await costsOf('node', async () => {
    const arrived = new Promise((resolve) => {
      to.subscribe('scale.message', { callback: () => --missing === 0 && resolve(undefined) });
    });
    await to.flush();
    for (let at = 0; at < size.messages; at++) from.publish('scale.message', bytes);
    await arrived;
  });
  await Promise.all([from.close(), to.close()]);
  return { nodeMs: nodeMs / size.messages };
}

/** What becomes of a large team, each with the limit that it meets and how many of its kind that is. @param {Costs} costs */
function scaleTable({ skill, client, load: loading, search: searching, execution, worker }) {
  const { skills, clients, workers, servers, perSecond } = large;
  const rate = clients * perSecond;
  const callMs = loading.serverMs + searching.serverMs + execution.serverMs;
  // Two signs of life a second, in both directions; each comes by itself, as the messages of an execution do, and is counted in and out.
  const beats = 4;
  const rows = [
    ['each change of the catalogue, on every server', skills * skill.changeMs, 'ms', 2000, skills, 'skills'],
    ['memory of each server for the skills', (skills * skill.memoryBytes) / 1e6, 'MB', 4000, skills, 'skills'],
    ['what a server reads when it connects again', (skills * skill.compareBytes) / 1e6, 'MB', 1250, skills, 'skills'],
    ['taking all skills in, by a new server', (skills * skill.takeInMs) / 60_000, 'minutes', 60, skills, 'skills'],
    ['disk of each server', (skills * skill.diskBytes) / 1e9, 'GB', 100, skills, 'skills'],
    ['disk of each node', (skills * skill.storedBytes) / 1e9, 'GB', 100, skills, 'skills'],
    [
      'memory of each server for its clients',
      ((clients / servers) * client.sessionBytes) / 1e6,
      'MB',
      2000,
      clients,
      'clients',
    ],
    [
      'processors of all servers, at one load, search and execution a minute each',
      (rate * callMs) / 1000,
      '',
      servers,
      clients,
      'clients',
    ],
    [
      'processors of all workers for these executions, which do nothing',
      (rate * execution.workerMs) / 1000,
      '',
      workers,
      clients,
      'clients',
    ],
    ['processors of the nodes for these executions', (rate * execution.nodeMs) / 1000, '', 3, clients, 'clients'],
    [
      `processors of the nodes for signs of life, ${workers * 4 * beats} a second with four executions on each worker`,
      (workers * 4 * beats * 2 * execution.nodeMs) / execution.messages / 1000,
      '',
      3,
      workers,
      'workers',
    ],
    [
      'memory of the nodes for the connections of workers',
      (workers * worker.connectionBytes) / 1e6,
      'MB',
      1000,
      workers,
      'workers',
    ],
    ['answers to one question who is there', (workers * worker.factsBytes) / 1e6, 'MB', 8, workers, 'workers'],
  ];
  return tableOf(
    [
      'what',
      `at ${skills} skills, ${clients} clients, ${workers} workers, ${servers} servers`,
      'limit',
      'which is met at',
    ],
    rows
      .map(([what, value, unit, limit, count, kind]) => ({
        what,
        value,
        unit,
        limit,
        count,
        kind,
        at: (count * limit) / value,
      }))
      .sort((a, b) => a.at / a.count - b.at / b.count)
      .map(({ what, value, unit, limit, kind, at }) => [
        what,
        `${short(value)} ${unit}`.trim(),
        `${short(limit)} ${unit}`.trim(),
        `${short(at)} ${kind}`,
      ]),
  );
}

/** @param {Costs} costs */
function costTable(costs) {
  return tableOf(
    ['one more', 'costs', 'which is'],
    Object.entries(costs).flatMap(([of, one]) => Object.entries(one).map(([what, value]) => [of, what, short(value)])),
  );
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function tableOf(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Three digits that matter, in groups. @param {number} value */
function short(value) {
  const digits =
    Math.abs(value) >= 100
      ? Math.round(value / 10 ** (String(Math.round(value)).length - 3)) * 10 ** (String(Math.round(value)).length - 3)
      : Number(value.toPrecision(3));
  return digits.toLocaleString('en');
}

/** Messages and bytes that have gone through the node, and what it keeps. */
async function cluster() {
  const tell = async (/** @type {string} */ path) => (await fetch(`http://127.0.0.1:${monitoring}/${path}`)).json();
  const [{ in_msgs, out_msgs, in_bytes, out_bytes }, { bytes: stored }] = [await tell('varz'), await tell('jsz')];
  return { messages: in_msgs + out_msgs, bytes: in_bytes + out_bytes, stored };
}

/** What something costs the only part of a kind, and the cluster. @param {string} kind @param {() => Promise<void>} work */
async function costsOf(kind, work) {
  const before = { ...(await cluster()), cpu: cpuMs(kind) };
  await work();
  const after = { ...(await cluster()), cpu: cpuMs(kind) };
  return {
    cpuMs: after.cpu - before.cpu,
    messages: after.messages - before.messages,
    bytes: after.bytes - before.bytes,
  };
}

/** @param {string} kind */
function cpuMs(kind) {
  return cpuMsOf(team.of(kind)[0]?.pid ?? 0);
}

/** @param {string} kind */
function residentMb(kind) {
  return residentMbOf(team.of(kind)[0]?.pid ?? 0);
}

/** Resolves when a part has done nothing to speak of for a second. @param {string} kind */
async function settled(kind) {
  for (let before = Number.NEGATIVE_INFINITY, now = cpuMs(kind); now - before > 30; ) {
    await sleep(1000);
    [before, now] = [now, cpuMs(kind)];
  }
}

/** @param {() => boolean} isSo */
async function until(isSo) {
  while (!isSo()) await sleep(100);
}

function keptSkills() {
  const folder = team.path('server-1/.local/state/repertoire/get/skills');
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name)).length;
}

/** What the files below a folder take on the disk, in whole blocks. @param {string} folder */
function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(join(folder, String(name))).blocks * 512)
    .reduce((sum, one) => sum + one, 0);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}
