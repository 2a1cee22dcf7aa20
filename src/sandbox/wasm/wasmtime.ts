import { SkillError } from '../../kernel/errors.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import { findProgram } from '../linux/find-programs.ts';
import { inOrder, reachableGuards } from '../linux/guarded.ts';
import { type Launched, launch } from '../linux/launch.ts';
import type { Machine } from '../linux/machine.ts';
import { type RunSpec, scratchTarget, skillTarget } from '../types.ts';
import { moduleInside } from './engine-files.ts';
import { processLimits } from './flags.ts';
import { bindsOf, moduleOrder } from './setups.ts';

/** Where the program lies inside. */
const programInside = '/run/wasmtime';

/** The program of the system, or the one that was named. */
export function findWasmtime(configured: string | undefined): string {
  const found = configured ?? findProgram('wasmtime');
  if (found !== null) return found;
  throw new SkillError('unavailable', 'wasmtime was chosen to run WebAssembly, but is not installed', {
    hint: 'Install it from wasmtime.dev into /usr/local/bin, or let Node run modules.',
  });
}

/**
 * The arguments for one run. Folders have the same names inside and outside of the guest. Of the environment only the
 * names are here: the values come from the environment of wasmtime itself, so that no list of processes shows them.
 */
export function wasmtimeArgs(
  module: string,
  spec: Pick<RunSpec, 'mounts' | 'folder' | 'env'> & { readonly limits: Pick<Limits, 'memoryBytes'> },
  args: readonly string[],
): readonly string[] {
  const [name = 'module', ...rest] = args;
  const targets = [skillTarget, scratchTarget, ...spec.mounts.map(({ target }) => target)];
  const here = spec.folder === 'skill' ? skillTarget : scratchTarget;
  return [
    'run',
    ...['-W', `max-memory-size=${spec.limits.memoryBytes}`],
    ...targets.flatMap((target) => ['--dir', `${target}::${target}`]),
    ...['--dir', `${here}::.`],
    ...Object.keys(spec.env).flatMap((key) => ['--env', key]),
    ...['--argv0', name],
    module,
    ...rest,
  ];
}

/** Runs a module by wasmtime, in the sandbox of every other program, and without a `/proc`. */
export function launchWasmtime(machine: Machine, spec: RunSpec, program: string): Promise<Launched> {
  if (spec.task.kind !== 'module') throw new Error('not a module');
  const exact = bindsOf(spec);
  const guards = reachableGuards(spec.guards ?? [], exact, machine.isRoot);
  const binds: readonly Mount[] = [
    { source: program, target: programInside, access: 'read' },
    { source: spec.task.file, target: moduleInside, access: 'read' },
    ...inOrder([...exact, ...guards]),
  ];
  return launch(machine, {
    id: spec.id,
    argv: [programInside, ...wasmtimeArgs(moduleInside, spec, moduleOrder(spec, spec.task).args)],
    env: spec.env,
    cwd: scratchTarget,
    binds,
    exact,
    guards,
    proc: false,
    limits: processLimits(spec.limits),
    stdin: 'pipe',
  });
}
