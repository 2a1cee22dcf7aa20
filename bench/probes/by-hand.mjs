import { createInterface } from 'node:readline';
import { hostEnvironment } from '../../src/core/environment.ts';
import { machineFor } from '../../src/run/sandbox/linux/machine.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import { commandByHand, planFor, runByHand, timed } from '../running.mjs';

/** Runs a script of a skill in the sandbox made by hand, each time it is sent a line, and prints how long that took. */
async function serve() {
  const [folder = '', ...argv] = process.argv.slice(2);
  const environment = hostEnvironment();
  const runtime = createNativeRuntime(environment);
  const command = commandByHand(machineFor(environment), planFor(folder), { limits: 'prlimit', argv });
  for await (const _line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify({ ms: await timed(() => runByHand(command)) })}\n`);
  }
  await runtime.close();
}

void serve();
