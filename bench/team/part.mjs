import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from '../../scripts/program-folders.mjs';

/**
 * @typedef {'node' | 'server' | 'worker' | 'balancer'} Kind
 *
 * @typedef {object} Plan
 * @property {string} name
 * @property {Kind} kind
 * @property {readonly string[]} argv the program and its arguments
 * @property {string} [url] where it listens
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(log: string) => boolean | Promise<boolean>} isReady by what it has written, or by asking it
 */

/** Longer than anything takes that is waited for, on however busy a machine. */
const timeoutMs = 120_000;

/** A process of a team, which can be killed and started again. */
export class Part {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #plan;
  #log = '';

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
    this.name = plan.name;
    this.kind = plan.kind;
    this.url = plan.url ?? '';
    this.isUp = false;
  }

  get pid() {
    return this.#child?.pid ?? Number.NaN;
  }

  /** Everything that it has written to stderr since its last start. */
  get log() {
    return this.#log;
  }

  /** Starts it, and waits until it can be used. */
  async start() {
    const { argv, cwd, env = process.env, isReady, name } = this.#plan;
    const [program = '', ...args] = argv;
    this.#log = '';
    const child = spawn(program, args, {
      cwd,
      env: { ...env, PATH: programPath },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text) => (this.#log += text));
    child.once('error', (error) => (this.#log += error.message));
    for (const until = Date.now() + timeoutMs; !(await isReady(this.#log)); await sleep(50)) {
      if (Date.now() > until || child.pid === undefined || child.exitCode !== null)
        throw new Error(`${name} is not ready:\n${this.#log}`);
    }
    this.isUp = true;
  }

  /** Ends it as a power failure would; what it has on disk stays. */
  async kill() {
    this.isUp = false;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

/** Ports that were free a moment ago, all different. @param {number} count @returns {Promise<number[]>} */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port);
  for (const server of servers) server.close();
  return ports;
}
