import { setTimeout as sleep } from 'node:timers/promises';
import { hostEnvironment } from '../../src/core/environment.ts';
import { machineFor } from '../../src/run/sandbox/linux/machine.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import { takeTurns } from '../measure.mjs';
import { commandByHand, obstacleTo, planFor, runByHand, runOnce, specFor, timed } from '../running.mjs';

/**
 * A program that does nothing, run in the sandbox of the system, taking turns with the same sandbox made by hand; with a
 * rest before each, where one is asked for. Bundled before it is run, since the library does not give its runtimes away.
 */
async function measure() {
  const [folder = '', times = '0', restMs = '0'] = process.argv.slice(2);
  const environment = hostEnvironment();
  const runtime = createNativeRuntime(environment);
  const obstacle = await obstacleTo(runtime);
  if (obstacle !== null) return { obstacle };
  const byHand = commandByHand(machineFor(environment), planFor(folder), { limits: 'prlimit' });
  const task = /** @type {const} */ ({ kind: 'command', program: '/bin/true', args: [] });
  const rested = async (/** @type {() => Promise<unknown>} */ work) => {
    if (restMs !== '0') await sleep(Number(restMs));
    return timed(work);
  };
  const [subject, floor] = await takeTurns(
    Number(times),
    () => rested(() => runOnce(runtime, specFor(folder, task))),
    () => rested(() => runByHand(byHand)),
  );
  await runtime.close();
  return { subject, floor };
}

void measure().then((told) => process.stdout.write(JSON.stringify(told)));
