import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostEnvironment } from '../../src/core/environment.ts';
import { sha256 } from '../../src/core/hash.ts';
import { machineFor } from '../../src/run/sandbox/linux/machine.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import { createWasmRuntime } from '../../src/run/sandbox/wasm/runtime.ts';
import { takeTurns } from '../measure.mjs';
import { commandByHand, obstacleTo, planFor, runByHand, runOnce, specFor, timed } from '../running.mjs';

/** So long after a run the next child has been started and has said that it is ready, on a machine that is busy too. */
const refillMs = 600;

/**
 * A WebAssembly module that does nothing, run by a child that waits for it, taking turns with a program that does
 * nothing in a sandbox made by hand. Before each of either, everything is left to settle.
 */
async function measure() {
  const [folder = '', times = '0'] = process.argv.slice(2);
  const environment = hostEnvironment();
  const native = createNativeRuntime(environment);
  const runtime = createWasmRuntime(environment, { pool: 'warm' });
  const obstacle = (await obstacleTo(native)) ?? (await obstacleTo(runtime));
  if (obstacle !== null) return { obstacle };
  const byHand = commandByHand(machineFor(environment), planFor(folder), { limits: 'none' });
  const file = join(folder, 'rest.wasm');
  const task = /** @type {const} */ ({ kind: 'module', file, digest: sha256(readFileSync(file)), args: [] });
  const settled = async (/** @type {() => Promise<unknown>} */ work) => {
    await sleep(refillMs);
    return timed(work);
  };
  const cold = await timed(() => runOnce(runtime, specFor(folder, task)));
  const [subject, floor] = await takeTurns(
    Number(times),
    () => settled(() => runOnce(runtime, specFor(folder, task))),
    () => settled(() => runByHand(byHand)),
  );
  await runtime.close();
  await native.close();
  return { subject, floor, cold };
}

void measure().then((told) => process.stdout.write(JSON.stringify(told)));
