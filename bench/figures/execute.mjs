import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundledProbe } from '../bundle.mjs';
import { eachLine, startServer } from '../clients/server.mjs';
import { startStdio } from '../clients/stdio.mjs';
import { probeFile, summary, takeTurns } from '../measure.mjs';
import { single } from '../report.mjs';
import { noop, writeNoop } from './run.mjs';

/** Until then a server that has read everything sets up its watches, and sweeps up after others. */
export const settleMs = 4000;
/** So that neither side finds the other still busy with what follows an answer. */
const pauseMs = 20;
/** Called often enough for Node to have compiled what a call needs. */
const warmUp = 30;

/** @typedef {import('../clients/server.mjs').Server & import('../clients/stdio.mjs').Talk} Client */

const promise = { unit: 'ms', judged: /** @type {const} */ ('subject'), limit: 3 };

/**
 * What a client waits for a script that does nothing, from its request to the answer, audit log and all; the floor is the
 * same sandbox around the same script, made by hand. And where that goes: what a call over the protocol takes longer than
 * the same run by the library in another process, and than its own time in the sandbox.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function execute(sandbox, quick) {
  const { open, catalogue } = await writeNoop(sandbox);
  const server = startStdio(sandbox, catalogue, { command: 'serve', argv: ['--structured'] });
  await server.open();
  await server.ask('tools/list');
  await server.logged(/ready: /);
  const { obstacle } = await callOver(server, noop.tool);
  if (obstacle !== undefined) {
    await server.stop();
    return [{ ...whole, unmeasured: obstacle }];
  }
  const byHand = startProbe(sandbox, catalogue, [await bundledProbe(sandbox, 'by-hand'), open, ...noop.script]);
  const library = startProbe(sandbox, catalogue, [probeFile('library'), 'execute', noop.skill, noop.tool]);
  const times = quick ? 30 : 150;
  await sleep(settleMs);
  const wholes = await compare(
    times,
    () => callOver(server, noop.scriptTool),
    () => byHand.run(),
  );
  const parts = await compare(
    times,
    () => callOver(server, noop.tool),
    () => library.run(),
  );
  await Promise.all([server.stop(), byHand.stop(), library.stop()]);
  return [wholeRow(wholes), ...rowsOf(parts)];
}

const whole = {
  unit: 'ms',
  name: 'a call of a script that does nothing over stdio, from request to answer',
  floorName: 'bubblewrap by hand',
  judged: /** @type {const} */ ('ratio of medians'),
  limit: 1.6,
};

/** @param {Awaited<ReturnType<typeof compare>>} told */
function wholeRow([calls, floors]) {
  return { ...whole, subject: summary(calls.map(({ ms }) => ms)), floor: summary(floors.map(({ ms }) => ms)) };
}

/**
 * @template T
 * @param {number} times
 * @param {() => Promise<T>} subject
 * @param {() => Promise<T>} floor
 */
export async function compare(times, subject, floor) {
  const sides = /** @type {const} */ ([() => paused(subject), () => paused(floor)]);
  await takeTurns(warmUp, ...sides);
  return takeTurns(times, ...sides);
}

function rowsOf([calls, runs]) {
  const [call, run] = [calls, runs].map((samples) => summary(samples.map(({ ms }) => ms)).median);
  return [
    {
      ...promise,
      name: 'what a call over stdio takes longer than the same run by the library',
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

/** @param {Client} server @param {string} tool */
export async function callOver(server, tool) {
  const params = { skill_name: noop.skill, tool_name: tool, parameters: {} };
  const { ms, message } = await server.ask('tools/call', { name: 'skill-engine/execute', arguments: params });
  const { exit_reason: reason, exit_code: code, duration_ms: runMs } = message.result?.structuredContent ?? {};
  if (reason === 'engine_error') return { obstacle: message.result.structuredContent.message };
  if (code !== 0) throw new Error(`no run: ${JSON.stringify(message)}`);
  const { ms: pingMs } = await server.ask('ping');
  return { ms, runMs, pingMs };
}

/** Another process, which does something each time it is sent a line. */
function startProbe(sandbox, catalogue, argv) {
  const { child, ended: endOf } = startServer(sandbox, catalogue, argv);
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
