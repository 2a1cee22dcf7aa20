import { randomUUID } from 'node:crypto';
import { defaultLimits } from '../../src/policy/limits.ts';

/**
 * @typedef {import('../../src/sandbox/types.ts').RunSpec} RunSpec
 * @typedef {import('../../src/sandbox/types.ts').SandboxRuntime} SandboxRuntime
 */

/** As the engine has it for every run. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

/**
 * A run that is granted nothing, under the limits that hold where nobody sets others.
 *
 * @param {string} skillFolder
 * @param {RunSpec['task']} task
 * @returns {RunSpec}
 */
export function specFor(skillFolder, task) {
  const granted = { mounts: [], network: [] };
  return {
    id: randomUUID(),
    task,
    env,
    stdin: null,
    skillFolder,
    folder: 'skill',
    ...granted,
    limits: defaultLimits,
  };
}

/** One run to its end, which must be a good one. @param {SandboxRuntime} runtime @param {RunSpec} spec */
export async function runOnce(runtime, spec) {
  const watcher = { onOutput: () => undefined, signal: new AbortController().signal };
  const { reason, exitCode, message } = await runtime.run(spec, watcher);
  if (reason !== 'exited' || exitCode !== 0) throw new Error(`the run ended with ${reason} ${exitCode}: ${message}`);
}

/** How long something takes, in milliseconds. @param {() => Promise<unknown>} work */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Why nothing can be measured here; null where it can.
 *
 * @param {SandboxRuntime} runtime
 */
export async function obstacleTo(runtime) {
  const readiness = await runtime.readiness();
  return readiness.ready ? null : readiness.reason;
}
