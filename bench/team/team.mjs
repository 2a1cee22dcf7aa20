import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { program } from '../measure.mjs';
import { freePorts, Part } from './part.mjs';

/**
 * @typedef {object} Size
 * @property {1 | 3} nodes of NATS
 * @property {number} servers
 * @property {number} workers
 * @property {number} [concurrency] of each worker
 * @property {number} [monitoring] port at which the first node tells of itself
 *
 * @typedef {{ code: number, stdout: string, stderr: string }} Run
 */

/** Started in this order, and ended in the other. */
const kinds = /** @type {const} */ (['node', 'server', 'worker', 'balancer']);

/**
 * The parts of a team on one machine, each with a home of its own: nodes of NATS, servers with a balancer before them, and
 * workers. They lie outside of `/tmp`, in which nothing can be granted.
 */
export class Team {
  /** @type {Part[]} */
  parts = [];
  /** The addresses of all nodes, as `--cluster` takes them. */
  cluster = '';
  /** The address for clients. */
  url = '';

  constructor() {
    this.folder = mkdtempSync('/var/tmp/repertoire-team-');
    chmodSync(this.folder, 0o755);
  }

  /** @param {string} path */
  path(path) {
    return join(this.folder, path);
  }

  /** @param {string} path @param {string} text */
  write(path, text) {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
    return this.path(path);
  }

  /** @param {import('./part.mjs').Kind} kind */
  of(kind) {
    return this.parts.filter((part) => part.kind === kind);
  }

  /** Starts everything. Servers find skills in `shared/skills`. @param {Size} size */
  async start({ nodes, servers, workers, concurrency = 4, monitoring }) {
    const ports = await freePorts(2 * nodes + servers + 1);
    const take = (/** @type {number} */ count) => ports.splice(0, count);
    this.#plan(nodePlans(this.folder, take(nodes), take(nodes), monitoring));
    this.cluster = this.of('node')
      .map(({ url }) => url)
      .join(',');
    const serving = take(servers);
    const [front = 0] = take(1);
    const skills = ['--skill-dir', this.path('shared/skills'), '--executions', 'cluster'];
    this.#plan(
      serving.map((port, at) => ({
        kind: 'server',
        url: `http://127.0.0.1:${port}/mcp`,
        ...this.#ours(`server-${at + 1}`, ['serve', '--http', '--structured', '--port', String(port), ...skills]),
        isReady: () => answers(`http://127.0.0.1:${port}/readyz`),
      })),
    );
    this.#plan(
      Array.from({ length: workers }, (_, at) => ({
        kind: 'worker',
        ...this.#ours(`worker-${at + 1}`, [
          ...['worker', '--name', `worker-${at + 1}`, '--runtimes', 'native'],
          ...['--concurrency', String(concurrency)],
        ]),
        isReady: (log) => log.includes('takes executions'),
      })),
    );
    if (servers > 1) this.#plan([this.#balancer(front, serving)]);
    this.url = (this.of('balancer')[0] ?? this.of('server')[0])?.url ?? '';
    for (const kind of kinds) await Promise.all(this.of(kind).map((part) => part.start()));
  }

  /** @param {readonly import('./part.mjs').Plan[]} plans */
  #plan(plans) {
    this.parts.push(...plans.map((plan) => new Part(plan)));
  }

  /** Our program, in a home of its own. @param {string} name @param {readonly string[]} args */
  #ours(name, args) {
    mkdirSync(this.path(`${name}/project/.git`), { recursive: true });
    return {
      name,
      argv: [process.execPath, program, ...args],
      cwd: this.path(`${name}/project`),
      env: {
        PATH: process.env['PATH'],
        HOME: this.path(name),
        REPERTOIRE_CLUSTER: this.cluster,
        REPERTOIRE_TRUSTED_PROJECTS: this.folder,
      },
    };
  }

  /** The balancer with the configuration that we ship; only the addresses are others. @param {number} front @param {readonly number[]} serving */
  #balancer(front, [one, two]) {
    const text = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
      .replace('bind :3000', `bind 127.0.0.1:${front}`)
      .replace('server-1:3000', `127.0.0.1:${one}`)
      .replace('server-2:3000', `127.0.0.1:${two}`);
    return {
      name: 'balancer',
      kind: 'balancer',
      url: `http://127.0.0.1:${front}/mcp`,
      argv: ['haproxy', '-db', '-f', this.write('haproxy.cfg', text)],
      isReady: () => answers(`http://127.0.0.1:${front}/readyz`),
    };
  }

  /** Runs our program once in the home of a part, or of somebody else. @param {string} name @param {readonly string[]} args @returns {Promise<Run>} */
  run(name, args) {
    const { argv, cwd, env } = this.#ours(name, args);
    const [file = '', ...words] = argv;
    return new Promise((resolve) => {
      const child = execFile(file, words, { cwd, env, maxBuffer: 1 << 28 }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  /** The same, which must succeed. @param {string} name @param {readonly string[]} args */
  async done(name, args) {
    const { code, stdout, stderr } = await this.run(name, args);
    if (code !== 0) throw new Error(`${args.join(' ')} at ${name} ended with ${code}\n${stderr}${stdout}`);
    return stdout;
  }

  /** The records of the audit log of a part. @param {string} name @returns {Record<string, any>[]} */
  records(name) {
    const folder = this.path(`${name}/.local/state/repertoire/audit`);
    const file = join(folder, 'audit.jsonl');
    if (!existsSync(file)) return [];
    const older = Array.from({ length: 999 }, (_, at) =>
      join(folder, `audit-${String(at + 1).padStart(6, '0')}.jsonl`),
    );
    return [...older.filter((one) => existsSync(one)), file]
      .flatMap((one) => readFileSync(one, 'utf8').split('\n'))
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line));
  }

  /** Ends everything, and removes what it has left. */
  async remove() {
    for (const kind of kinds.toReversed()) await Promise.all(this.of(kind).map((part) => part.kill()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {readonly number[]} ports @param {readonly number[]} routing @param {number} [monitoring] */
function nodePlans(folder, ports, routing, monitoring) {
  const routes = routing.map((port) => `nats://127.0.0.1:${port}`);
  const watched = monitoring === undefined ? [] : ['-m', String(monitoring)];
  return ports.map((port, at) => {
    const name = `node-${at + 1}`;
    const url = `nats://127.0.0.1:${port}`;
    const joined = ['--cluster_name', 'team', '--cluster', routes[at] ?? '', '--routes', routes.join(',')];
    const alone = ['-a', '127.0.0.1', '-p', String(port), '-n', name, '-js', '-sd', join(folder, name)];
    return {
      name,
      url,
      kind: /** @type {const} */ ('node'),
      argv: ['nats-server', ...alone, ...(ports.length > 1 ? joined : []), ...(at === 0 ? watched : [])],
      isReady: () => hasStreams(url),
    };
  });
}

/** Whether a node answers, and those of its cluster have agreed on a leader. @param {string} url */
async function hasStreams(url) {
  try {
    const connection = await connect({ servers: url, reconnect: false, timeout: 1000 });
    try {
      const { data } = await connection.request('$JS.API.STREAM.NAMES', '{}', { timeout: 1000 });
      return !new TextDecoder().decode(data).includes('"error"');
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

/** @param {string} url */
function answers(url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
