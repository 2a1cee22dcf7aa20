import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { defaultLimits } from '../src/run/policy/limits.ts';
import { commandFor } from '../src/run/sandbox/linux/arguments.ts';
import { filterDescriptor, limitsOutside } from '../src/run/sandbox/linux/gate.ts';
import { takeUser } from '../src/run/sandbox/linux/plan.ts';
import { skillTarget } from '../src/run/sandbox/types.ts';

/**
 * @typedef {import('../src/run/sandbox/types.ts').RunSpec} RunSpec
 * @typedef {import('../src/run/sandbox/types.ts').SandboxRuntime} SandboxRuntime
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

/**
 * What the native runtime launches for a run that does nothing.
 *
 * @param {string} folder of the skill
 * @returns {import('../src/run/sandbox/linux/plan.ts').LaunchPlan}
 */
export function planFor(folder) {
  const { env, limits } = specFor(folder, { kind: 'command', program: '/bin/true', args: [] });
  const skill = { source: folder, target: skillTarget, access: /** @type {const} */ ('read') };
  return {
    id: randomUUID(),
    argv: ['/bin/true'],
    env,
    cwd: skillTarget,
    binds: [skill],
    proc: true,
    limits,
    stdin: 'none',
  };
}

/**
 * @typedef {import('../src/run/sandbox/linux/machine.ts').Machine} Machine
 * @typedef {import('../src/run/sandbox/linux/plan.ts').LaunchPlan} LaunchPlan
 *
 * @typedef {object} Command
 * @property {string} program
 * @property {readonly string[]} args
 * @property {{ uid?: number, gid?: number }} user
 * @property {{ file: string, at: number } | null} filter of system calls, and the descriptor it is read from
 */

/** Where, in the arguments of our launcher, what it speaks to us by begins: all before it is the sandbox. */
const ours = '--json-status-fd';

/**
 * The sandbox that our launcher makes for a plan, by the very same arguments and the same kind of user, around a
 * program that does nothing unless another is named; without our shell in it, our pipes to it, and a control group.
 *
 * @param {Machine} machine
 * @param {LaunchPlan} plan
 * @param {{ limits: 'prlimit' | 'none', argv?: readonly string[] }} options
 * @returns {Command}
 */
export function commandByHand(machine, plan, { limits, argv = ['/bin/true'] }) {
  const user = machine.isRoot ? (takeUser()?.id ?? Number.NaN) : null;
  const { program, args, user: startedAs } = commandFor(machine, plan, user);
  const end = args.indexOf(ours);
  if (end === -1) throw new Error(`the launcher has no ${ours} any more; look where its own part begins now`);
  const sandbox = [program, ...args.slice(0, end), '--', ...argv];
  const [first = '', ...rest] =
    limits === 'none' ? sandbox : [machine.prlimit, ...limitsOutside(machine, plan), ...sandbox];
  const { callFilter } = machine;
  return {
    program: first,
    args: rest,
    user: startedAs === null ? {} : { uid: startedAs, gid: startedAs },
    filter: callFilter === null ? null : { file: callFilter, at: filterDescriptor(plan) },
  };
}

/** Starts it as anyone would, and waits for its end and for all that it writes. @param {Command} command */
export function runByHand({ program, args, user, filter }) {
  return new Promise((settle, fail) => {
    const opened = filter === null ? [] : [openSync(filter.file, 'r')];
    const between = Array.from({ length: (filter?.at ?? 3) - 3 }, () => /** @type {const} */ ('ignore'));
    const child = spawn(program, args, {
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      ...user,
      stdio: ['pipe', 'pipe', 'pipe', ...between, ...opened],
    });
    for (const descriptor of opened) closeSync(descriptor);
    let complaint = '';
    child.stdin.end();
    child.stdout.resume();
    child.stderr.on('data', (bytes) => {
      complaint += bytes;
    });
    child.once('error', fail);
    child.once('close', (code) => {
      if (code === 0) settle(undefined);
      else fail(new Error(`the sandbox by hand ended with ${code}: ${complaint}`));
    });
  });
}
