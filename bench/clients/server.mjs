import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * @typedef {import('../sandbox.mjs').Sandbox} Sandbox
 * @typedef {import('../catalogue.mjs').Catalogue} Catalogue
 * @typedef {{ text: string, at: number }} Line and when it came, on the clock of `performance.now()`
 *
 * @typedef {object} Server a process that goes on until it is stopped
 * @property {number} pid
 * @property {number} startedAt just before it was started, on the same clock
 * @property {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @property {(pattern: RegExp, nth?: number) => Promise<Line>} logged a line of its log that matches, counted from 1,
 *   written or to come
 * @property {(pattern: RegExp) => Line[]} lines those that match so far
 * @property {(what: string) => Promise<never>} ended throws when it ends, for what can then never come
 * @property {() => Promise<void>} stop
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ends what a figure that failed, or was interrupted, has left behind. */
export function endServers() {
  for (const child of running) child.kill('SIGKILL');
}

/** A server that takes longer for all we ask of it hangs, and is ended; whoever waits for it hears of that. */
const timeoutMs = 300_000;

/**
 * @param {Sandbox} sandbox
 * @param {Catalogue} catalogue whose home and working directory it sees
 * @param {readonly string[]} argv for Node
 * @param {Record<string, string>} [variables]
 * @returns {Server}
 */
export function startServer(sandbox, catalogue, argv, variables = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, argv, {
    cwd: catalogue.work,
    env: { ...sandbox.environment(catalogue.home), ...variables },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const exit = once(child, 'exit').finally(() => running.delete(child));
  child.stdin.on('error', () => undefined); // the exit tells
  /** @type {Line[]} */
  const log = [];
  /** @type {Set<(line: Line) => void>} */
  const readers = new Set();
  eachLine(child.stderr, (text, at) => {
    log.push({ text, at });
    for (const read of readers) read({ text, at });
  });

  /** @param {string} what @returns {Promise<never>} */
  async function ended(what) {
    const [code, signal] = await exit;
    throw new Error(`${what}: the server ended with ${signal ?? code}\n${log.map(({ text }) => text).join('\n')}`);
  }

  /** @type {Server['logged']} */
  function logged(pattern, nth = 1) {
    let missing = nth;
    /** @type {Promise<Line>} */
    const line = new Promise((resolve) => {
      const read = (/** @type {Line} */ one) => {
        if (!pattern.test(one.text) || --missing > 0) return;
        readers.delete(read);
        resolve(one);
      };
      readers.add(read);
      for (const one of [...log]) read(one);
    });
    return Promise.race([line, ended(`waiting for a line like ${pattern}`)]);
  }

  return {
    pid: child.pid ?? Number.NaN,
    startedAt,
    child,
    logged,
    lines: (pattern) => log.filter(({ text }) => pattern.test(text)),
    ended,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {(line: string, at: number) => void} onLine
 */
export function eachLine(stream, onLine) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (/** @type {string} */ chunk) => {
    const at = performance.now(); // before anything is made of it
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line, at);
  });
}

const milli = 1e6;
const mega = 1e6;

/**
 * What a running process has cost so far, all its threads together, as the kernel counts it: in nanoseconds of
 * running. Threads that have ended are not in it; those of a server live as long as it does.
 *
 * @param {number} pid
 */
export function cpuMsOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, one) => sum + one, 0) / milli;
}

/**
 * What a running process holds in memory, the pages that it shares with others included.
 *
 * @param {number} pid
 */
export function residentMbOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / mega;
}
