import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discard } from '../../../core/disk/replace.ts';
import type { Environment } from '../../../core/environment.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import { type EgressProxy, proxyVariables, startProxy } from '../egress-proxy.ts';
import { endedAlone, engineError } from '../ending.ts';
import { killLeftBehind, proxyPort } from '../linux/arguments.ts';
import { sweepCgroups } from '../linux/cgroup.ts';
import { findCgroupPlace } from '../linux/find-cgroup.ts';
import { type Ahead, type Launched, launch, launchAhead } from '../linux/launch.ts';
import { leaveMachine, type Machine, machineFor, openFileLimit, runtimeParent } from '../linux/machine.ts';
import { orphansIn } from '../linux/owner.ts';
import { enforcementOf, inOrder, type LaunchPlan, reachableGuards } from '../linux/plan.ts';
import { folderPrefix, privateFolder } from '../linux/system-view.ts';
import { createPool, type Pool } from '../pool.ts';
import { supervise } from '../supervise.ts';
import {
  type Outcome,
  type Readiness,
  type RunSpec,
  type SandboxRuntime,
  scratchTarget,
  skillTarget,
} from '../types.ts';
import { placeProgram, unreachableIn } from './place-program.ts';

export interface NativeOptions {
  /** Whether sandboxes are set up ahead of their runs; not worth it in a process that makes one run. */
  readonly pool?: 'warm' | 'none';
}

/** Runs commands in bubblewrap. */
export function createBubblewrapRuntime(environment: Environment, options: NativeOptions = {}): SandboxRuntime {
  let readiness: Promise<Readiness> | null = null;
  const pool = createPool(({ plan }: Setup) => launchAhead(machineFor(environment), { ...plan, ...unused() }));
  const runtime: SandboxRuntime = {
    name: 'native',
    seesSkillAt: () => skillTarget,
    readiness: () => {
      readiness ??= tryOut(environment);
      return readiness;
    },
    run: async (spec, watcher) => {
      const began = performance.now();
      const failed = (why: string): Outcome => {
        return { ...engineError(why, performance.now() - began), enforcement: [], denials: [] };
      };
      let proxy: EgressProxy | null = null;
      try {
        const machine = machineFor(environment);
        const plan = planFor(machine, spec, environment);
        if (typeof plan === 'string') return failed(plan);
        proxy = await proxyFor(machine, spec);
        const setup = options.pool === 'warm' ? setupFor(machine, plan, spec) : null;
        const launching = { ...withProxy(plan, proxy), signal: watcher.signal };
        const launched = (await fromPool(pool, setup, launching)) ?? (await launch(machine, launching));
        const ending = await supervise(launched, { stdin: null, limits: spec.limits, watcher, began });
        // The pool is filled after the caller that waits for this has its answer.
        if (setup !== null && endedAlone(ending)) setImmediate(() => pool.fill(setup)).unref();
        return { ...ending, enforcement: launched.enforcement, denials: proxy?.denials() ?? [] };
      } catch (error) {
        return failed(reasonOf(error));
      } finally {
        await proxy?.close();
      }
    },
    sweep: async () => {
      killLeftBehind();
      const place = findCgroupPlace();
      if (place !== null) await sweepCgroups(place);
      for (const parent of new Set([runtimeParent(environment), tmpdir()])) {
        for (const orphan of orphansIn(parent, folderPrefix)) discard(orphan);
      }
    },
    close: async () => {
      await pool.close();
      leaveMachine();
    },
  };
  return runtime;
}

/** Returns the plan to launch for a run, or a sentence that says why it cannot be launched. */
function planFor(machine: Machine, spec: RunSpec, environment: Environment): LaunchPlan | string {
  const { task, skillFolder, mounts, limits } = spec;
  if (task.kind !== 'command') return `this runtime runs commands, not a ${task.kind}`;
  const placed = placeProgram(spec, task.program, machine.view.folders, environment);
  if (!placed.ok) return placed.reason;
  const skill: Mount = { source: skillFolder, target: skillTarget, access: 'read' };
  const exact = [skill, ...mounts];
  const problem = machine.isRoot ? unreachableIn([...placed.binds, ...exact]) : null;
  if (problem !== null) return problem;
  const guards = reachableGuards(spec.guards ?? [], mounts, machine.isRoot);
  return {
    id: spec.id,
    argv: [placed.program, ...task.args],
    env: spec.env,
    cwd: spec.folder === 'skill' ? skillTarget : scratchTarget,
    binds: [...placed.binds, ...inOrder([...exact, ...guards])],
    exact,
    guards,
    proc: true,
    limits,
    stdin: spec.stdin ?? 'none',
  };
}

/** The setup of a sandbox: everything in a plan except the parts that belong to one run. */
interface Setup {
  readonly plan: Omit<LaunchPlan, keyof ReturnType<typeof unused>>;
  /** The folder with the files of ours that it shows. */
  readonly files: string;
}

let aheads = 0;

function unused() {
  return { id: `ahead-${aheads++}`, argv: [], env: {} } as const;
}

/** Characters of program and arguments: the waiting shell reads them byte by byte. */
const mostArguments = 4096;

/**
 * The sandbox that can be set up ahead of a run: one that shows only the system, the programs installed to it, and the
 * copy of the skill, none of which changes. Null if the run needs more.
 */
function setupFor(machine: Machine, plan: LaunchPlan, { mounts, network, stdin }: RunSpec): Setup | null {
  if (mounts.length > 0 || network.length > 0 || stdin !== null) return null;
  if (plan.argv.reduce((sum, word) => sum + word.length, 0) > mostArguments) return null;
  const { id: _id, argv: _argv, env: _env, ...rest } = plan;
  return { plan: rest, files: machine.runtimeFolder };
}

async function fromPool(pool: Pool<Setup, Ahead>, setup: Setup | null, plan: LaunchPlan): Promise<Launched | null> {
  const ahead = setup === null ? null : await pool.take(setup);
  if (ahead === null) return null;
  if (await ahead.isRight()) return ahead.run(plan);
  await ahead.end();
  return null;
}

let proxies = 0;

async function proxyFor(machine: Machine, spec: RunSpec): Promise<EgressProxy | null> {
  if (spec.network.length === 0) return null;
  if (machine.socat === null)
    throw new Error('network access needs socat, which is not installed: apt-get install socat');
  return startProxy({
    rules: spec.network,
    socket: join(privateFolder(machine.runtimeFolder), `egress-${proxies++}.sock`),
  });
}

function withProxy(plan: LaunchPlan, proxy: EgressProxy | null): LaunchPlan {
  if (proxy === null) return plan;
  return { ...plan, socket: proxy.socket, env: { ...plan.env, ...proxyVariables(proxyPort) } };
}

const limits: Limits = {
  timeoutMs: 20_000,
  memoryBytes: 64 * 1_048_576,
  processes: 8,
  outputBytes: 65_536,
  scratchBytes: 1_048_576,
  fileBytes: 1_048_576,
  cpuSeconds: 5,
};

/** Errors of the sandbox when something is in its way, with the remedy for each. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /unknown option/i,
    'bubblewrap 0.8 or later is needed: install a newer one (Debian 12, Ubuntu 24.04 and Fedora 38 have it).',
  ],
  [
    /setting up uid map|uid_map.*(?:permission|not permitted)|RTM_NEWADDR/i,
    'This system keeps programs from creating user namespaces (Ubuntu 24.04 does so with AppArmor). Allow it for bubblewrap: give /usr/bin/bwrap an AppArmor profile with "userns,", or set the sysctl kernel.apparmor_restrict_unprivileged_userns to 0.',
  ],
  [
    /no permissions to create|creating new namespace failed|operation not permitted/i,
    'User namespaces are disabled here. Set the sysctls kernel.unprivileged_userns_clone to 1 and user.max_user_namespaces above 0; in a container, run it with --security-opt seccomp=unconfined or --privileged.',
  ],
  [/mount proc/i, 'In a container, /proc must not be masked: run it with --security-opt systempaths=unconfined.'],
];

const otherRemedy = 'Run "bwrap --unshare-all --ro-bind / / true" to see what prevents it.';

/** Number of attempts so far; different runtimes may make several at the same time. */
let tries = 0;

/** Sets up a sandbox and runs nothing in it: the only way to know whether it works. */
export async function tryOut(environment: Environment, { proc } = { proc: true }): Promise<Readiness> {
  try {
    return await tried(machineFor(environment), proc);
  } catch (error) {
    const remedy = error instanceof SkillError ? error.hint : undefined;
    const reason = reasonOf(error);
    return { ready: false, reason, remedy: remedy ?? remedyFor(reason) };
  }
}

async function tried(machine: Machine, proc: boolean): Promise<Readiness> {
  const began = performance.now();
  const launched = await launch(machine, {
    id: `try-out-${tries++}`,
    argv: [machine.shell, '-c', ':'],
    env: {},
    cwd: '/tmp',
    binds: [],
    proc,
    limits,
    stdin: 'none',
  });
  const watcher = { onOutput: () => undefined, signal: new AbortController().signal };
  const ending = await supervise(launched, { stdin: null, limits, watcher, began });
  if (ending.reason === 'exited' && ending.exitCode === 0)
    return { ready: true, enforcement: enforcementOf(machine, {}) };
  const reason = ending.message ?? `a program that does nothing ended with ${ending.exitCode}`;
  return { ready: false, reason, remedy: remedyFor(reason) };
}

/** Open files that are enough for any set-up. */
const enoughFiles = 1024;

function remedyFor(reason: string): string {
  const limit = openFileLimit();
  // Passing on a descriptor fails with EINVAL if its number is beyond the limit.
  if (/\b(EMFILE|ENFILE|too many open files)\b/i.test(reason) || (limit < enoughFiles && /\bEINVAL\b/.test(reason))) {
    return `This process may have only ${limit} files open: raise the limit (ulimit -n ${enoughFiles}).`;
  }
  return remedies.find(([sign]) => sign.test(reason))?.[1] ?? otherRemedy;
}
