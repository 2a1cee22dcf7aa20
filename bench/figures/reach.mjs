import { existsSync, readdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { createClient } from '../clients/http.mjs';
import { summary } from '../measure.mjs';
import { single } from '../report.mjs';
import { Caller } from '../team/clients.mjs';
import { Team } from '../team/team.mjs';

/** @typedef {{ name: string, limit: number, measure: (stage: Stage, nth: number) => Promise<number> }} Promised */

/** What a team is promised, in milliseconds. @type {readonly Promised[]} */
const promises = [
  { name: 'a killed worker, until its caller is told', limit: 2000, measure: killed },
  { name: 'a cancelled call, until its tool has ended on the worker', limit: 100, measure: cancelled },
  {
    name: 'a grant that is revoked on the worker, until what runs has ended',
    limit: 1000,
    measure: revokedAt('worker-1'),
  },
  {
    name: 'a grant that is revoked on the server, until what runs has ended',
    limit: 1000,
    measure: revokedAt('server-1'),
  },
  { name: 'a version in quarantine, until what runs has ended', limit: 1000, measure: quarantined },
  { name: 'a new version in the catalogue, until clients of all servers are told', limit: 2000, measure: published },
];

const row = { unit: 'ms', judged: /** @type {const} */ ('subject') };

/**
 * How soon what happens at one end of a team is known at the other: with three nodes of NATS, two servers and a worker. The
 * worst of all times is judged: a promise of so many seconds is not one for the median.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function reach(_sandbox, quick) {
  const team = new Team();
  const stage = new Stage(team);
  try {
    const obstacle = await stage.set().catch((error) => String(error.message));
    if (obstacle !== undefined) {
      return promises.map(({ name, limit }) => ({ ...row, name, limit, unmeasured: obstacle.split('\n', 1)[0] }));
    }
    const rows = [];
    for (const { name, limit, measure } of promises) {
      const times = [];
      for (let nth = 0; nth < (quick ? 3 : 10); nth++) times.push(await measure(stage, nth));
      const note = `worst of ${times.length}, median ${Math.round(summary(times).median)} ms`;
      rows.push({ ...row, name, limit, note, subject: single(Math.max(...times)) });
    }
    return rows;
  } finally {
    await stage.clear();
  }
}

/** Milliseconds between two looks. */
const lookMs = 2;
/** Milliseconds until what was heard of before is over, and streams stand. */
const settleMs = 1000;
/** Longer than anything takes that is waited for, on however busy a machine. */
const timeoutMs = 120_000;

/** Waits until something is there, and returns it. @template T @param {string} what @param {() => T | undefined | false} look @returns {Promise<T>} */
async function until(what, look) {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(lookMs)) {
    const found = look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`waited in vain for ${what}`);
}

/** A team with a skill whose tool waits, granted wherever it is to be. */
class Stage {
  #calls = 0;
  /** @type {import('@nats-io/transport-node').NatsConnection | undefined} */
  #nats;
  digest = '';
  folder = '';

  /** @param {Team} team */
  constructor(team) {
    this.team = team;
  }

  get skills() {
    return ['--skill-dir', this.team.path('shared/skills')];
  }

  /** Starts everything. */
  async set() {
    const { team } = this;
    team.write('place/there', '');
    team.write('shared/skills/held/SKILL.md', '---\nname: held\ndescription: Waits.\n---\n');
    team.write(
      'shared/skills/held/skill.toml',
      `[capabilities]\nfilesystem = { read = ["${team.path('place')}"] }\n` +
        '[tools.wait]\ncommand = ["sleep", "{seconds}"]\nparameters.seconds = { type = "string" }\n',
    );
    await team.start({ nodes: 3, servers: 2, workers: 1 });
    this.#nats = await connect({ servers: team.cluster.split(',') });
    for (const name of ['author', 'server-1']) await team.done(name, ['grant', 'held', '--yes', ...this.skills]);
    // The worker has the files once it was offered them.
    const run = ['run', 'held:wait', '--json', '--param', 'seconds=0', ...this.skills, '--executions', 'cluster'];
    this.digest = JSON.parse((await team.run('author', run)).stdout).digest;
    this.folder = this.home('worker-1', `get/skills/${this.digest.replace('sha256:', '')}`);
    if (!existsSync(this.folder)) throw new Error('the worker has not got the skill');
    await this.grant('worker-1');
  }

  /** The path of something in the state of a part. @param {string} name @param {string} path */
  home(name, path) {
    return this.team.path(`${name}/.local/state/repertoire/${path}`);
  }

  /** @param {string} name */
  async grant(name) {
    const skill = name === 'worker-1' ? [this.folder] : ['held', ...this.skills];
    await this.team.done(name, ['grant', '--yes', ...skill]);
  }

  /** Has the worker run something that goes on, and returns once it does. */
  async begin() {
    const before = this.#ends().length;
    const begun = this.#of('start').length;
    const stopping = new AbortController();
    const caller = new Caller(this.team.of('server')[0]?.url ?? '', ++this.#calls % 2 === 0 ? 'modern' : 'legacy');
    const call = { name: 'skill-engine/execute', expected: '', kind: /** @type {const} */ ('execute') };
    const parameters = { skill_name: 'held', tool_name: 'wait', parameters: { seconds: '40' } };
    const told = caller.ask({ ...call, arguments: parameters }, stopping.signal).then(() => {
      const at = performance.now();
      return { at, outcome: caller.calls.at(-1)?.outcome };
    });
    const refused = told.then(() => {
      throw new Error(`nothing was run: ${caller.calls.at(-1)?.detail}`);
    });
    await Promise.race([until('a run to begin', () => this.#of('start').length > begun), refused]);
    refused.catch(() => undefined); // it has begun
    return {
      told,
      cancel: () => stopping.abort(),
      /** When the worker had ended it. */
      ended: async () => {
        await until('a run to end', () => this.#ends().length > before);
        return performance.now();
      },
      close: async () => {
        await told;
        await caller.close();
      },
    };
  }

  #ends() {
    return this.#of('end');
  }

  /** @param {string} event */
  #of(event) {
    return this.team.records('worker-1').filter((record) => record.event === event);
  }

  /** The time when something is written to a bucket of the cluster. @param {string} bucket */
  written(bucket) {
    const subscription = this.#nats?.subscribe(`$KV.${bucket}.>`, { max: 1 });
    return (async () => {
      for await (const _ of subscription ?? []) return performance.now();
      return Number.NaN;
    })();
  }

  async clear() {
    await this.#nats?.close();
    await this.team.remove();
  }
}

/** @param {Stage} stage */
async function killed(stage) {
  const [worker] = stage.team.of('worker');
  const run = await stage.begin();
  const at = performance.now();
  await worker?.kill();
  const { at: toldAt, outcome } = await run.told;
  if (outcome !== 'worker_lost') throw new Error(`the caller was told ${outcome}`);
  await run.close();
  await worker?.start();
  return toldAt - at;
}

/** @param {Stage} stage */
async function cancelled(stage) {
  const run = await stage.begin();
  const at = performance.now();
  run.cancel();
  const endedAt = await run.ended();
  await run.close();
  return endedAt - at;
}

/** @param {'worker-1' | 'server-1'} part */
function revokedAt(part) {
  return async (/** @type {Stage} */ stage) => {
    const state = () => statSync(stage.home(part, 'grants')).ctimeMs;
    const run = await stage.begin();
    const before = state();
    const command = stage.team.done(part, ['revoke', 'held']);
    await until('the grant to go', () => state() !== before);
    const at = performance.now();
    const endedAt = await run.ended();
    await command;
    await run.close();
    await stage.grant(part);
    return endedAt - at;
  };
}

/** @param {Stage} stage */
async function quarantined(stage) {
  const run = await stage.begin();
  const written = stage.written('repertoire-quarantine');
  const command = stage.team.done('author', ['cluster', 'quarantine', stage.digest, '--reason', 'To be measured.']);
  const at = await written;
  const endedAt = await run.ended();
  await command;
  await run.close();
  await stage.team.done('author', ['cluster', 'release', stage.digest]);
  const parts = ['server-1', 'server-2', 'worker-1'].map((name) => stage.home(name, 'blocked'));
  await until('the version to be let out', () => parts.every((folder) => readdirSync(folder).length === 0));
  return endedAt - at;
}

/** @param {Stage} stage @param {number} nth */
async function published(stage, nth) {
  const { team } = stage;
  const file = `author/skills/news/SKILL.md`;
  team.write(file, `---\nname: news\ndescription: Edition ${nth}.\n---\n`);
  const clients = team.of('server').map(({ url }) => createClient(url, 'legacy', 1));
  const told = clients.map(async (client) => {
    await client.open();
    return new Promise((resolve, reject) => {
      const onText = (/** @type {string} */ text) => {
        if (text.includes('list_changed')) resolve(performance.now());
      };
      client.listen(onText).catch(reject);
    });
  });
  await sleep(settleMs);
  const written = stage.written('repertoire-catalogue');
  const command = team.done('author', ['publish', team.path('author/skills/news'), '--to', team.cluster]);
  const at = await written;
  const toldAt = Math.max(...(await Promise.all(told)));
  await command;
  for (const client of clients) client.close();
  return toldAt - at;
}
