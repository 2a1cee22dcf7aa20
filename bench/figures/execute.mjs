import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { eachLine, startServer } from '../clients/server.mjs';
import { startStdio } from '../clients/stdio.mjs';
import { probeFile, summary, takeTurns } from '../measure.mjs';
import { single } from '../report.mjs';
import { noop, writeNoop } from '../running/noop.mjs';

/** Until then a server that has read everything sets up its watches, and sweeps up after others. */
const settleMs = 4000;
/** So that neither side finds the other still busy with what follows an answer. */
const pauseMs = 20;
/** Called often enough for Node to have compiled what a call needs. */
const warmUp = 30;

/** @typedef {import('../clients/server.mjs').Server & import('../clients/stdio.mjs').Talk} Client */

const promise = { unit: 'ms', judged: /** @type {const} */ ('subject'), limit: 3 };

/**
 * What a call over the protocol adds to a run: a client waits for the same tool that another process runs by the
 * library. And what it adds to its own time in the sandbox, which is all that is done for a call but that.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function execute(sandbox, quick) {
  const { catalogue } = await writeNoop(sandbox);
  const server = startStdio(sandbox, catalogue, { command: 'serve', argv: ['--structured'] });
  await server.open();
  await server.ask('tools/list');
  await server.logged(/ready: /);
  const { obstacle } = await callOver(server);
  const told = obstacle === undefined ? await compare(sandbox, catalogue, server, quick ? 30 : 150) : undefined;
  await server.stop();
  const name = 'what a call over stdio takes longer than the same run by the library';
  return told === undefined ? [{ ...promise, name, unmeasured: obstacle }] : rowsOf(name, told);
}

/** @param {Client} server @param {number} times */
async function compare(sandbox, catalogue, server, times) {
  const library = startLibrary(sandbox, catalogue);
  const sides = /** @type {const} */ ([() => paused(() => callOver(server)), () => paused(() => library.run())]);
  await sleep(settleMs);
  await takeTurns(warmUp, ...sides);
  const [calls, runs] = await takeTurns(times, ...sides);
  await library.stop();
  return { calls, runs };
}

function rowsOf(name, { calls, runs }) {
  const [call, run] = [calls, runs].map((samples) => summary(samples.map(({ ms }) => ms)).median);
  return [
    {
      ...promise,
      name,
      note: `call ${call.toFixed(1)} ms, run ${run.toFixed(1)} ms`,
      // Of medians: the best of one side has nothing to do with the best of the other.
      subject: single(call - run),
    },
    {
      ...promise,
      name: 'what a call over stdio takes longer than its own time in the sandbox',
      subject: summary(calls.map(({ ms, runMs }) => ms - runMs)),
      floor: summary(calls.map(({ pingMs }) => pingMs)),
      floorName: 'ping',
    },
  ];
}

/** @template T @param {() => Promise<T>} work */
async function paused(work) {
  await sleep(pauseMs);
  return work();
}

/** @param {Client} server */
async function callOver(server) {
  const params = { skill_name: noop.skill, tool_name: noop.tool, parameters: {} };
  const { ms, message } = await server.ask('tools/call', { name: 'skill-engine/execute', arguments: params });
  const { exit_reason: reason, exit_code: code, duration_ms: runMs } = message.result?.structuredContent ?? {};
  if (reason === 'engine_error') return { obstacle: message.result.structuredContent.message };
  if (code !== 0) throw new Error(`no run: ${JSON.stringify(message)}`);
  const { ms: pingMs } = await server.ask('ping');
  return { ms, runMs, pingMs };
}

/** Another process with the library in it. */
function startLibrary(sandbox, catalogue) {
  const { child, ended: endOf } = startServer(sandbox, catalogue, [probeFile('execute'), noop.skill, noop.tool]);
  /** @type {((sample: { ms: number, runMs: number }) => void)[]} */
  const waiting = [];
  eachLine(child.stdout, (line) => waiting.shift()?.(JSON.parse(line)));
  const ended = endOf('waiting for a run');
  ended.catch(() => undefined);
  return {
    run() {
      const told = new Promise((resolve) => void waiting.push(resolve));
      child.stdin.write('\n');
      return Promise.race([told, ended]);
    },
    /** In good order, so that it takes away what its runs needed. */
    async stop() {
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    },
  };
}
