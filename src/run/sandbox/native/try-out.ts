import type { Environment } from '../../../core/environment.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import type { Limits } from '../../policy/types.ts';
import { launch } from '../linux/launch.ts';
import { type Machine, machineFor, openFileLimit } from '../linux/machine.ts';
import { enforcementOf } from '../linux/plan.ts';
import { supervise } from '../supervise.ts';
import type { Readiness } from '../types.ts';

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
