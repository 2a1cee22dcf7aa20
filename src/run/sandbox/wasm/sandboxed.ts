import { readRegularFile } from '../../../core/disk/files.ts';
import { SkillError } from '../../../core/errors.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import { type Launched, launch } from '../linux/launch.ts';
import type { Machine } from '../linux/machine.ts';
import { inOrder, reachableGuards } from '../linux/plan.ts';
import { findProgram } from '../linux/system-view.ts';
import { mountsOf } from '../mounts.ts';
import { unreachableIn } from '../native/place-program.ts';
import { type Enforcement, type RunSpec, scratchTarget, skillTarget, type Task } from '../types.ts';
import { type Child, childOf } from './child.ts';
import {
  engineEnvironment,
  engineFiles,
  engineFolders,
  isOfEngine,
  moduleInside,
  nodeFlags,
  nodeInside,
  processLimits,
  programInside,
} from './engine-files.ts';
import type { MemoryPlan, Order, Plan } from './protocol.ts';

/** The setup that a child is started for; two of the same key are interchangeable. */
export interface Setup {
  /** The program of ours that runs inside, by its path on this machine. */
  readonly program: string;
  /** The plan that it is sent. */
  readonly plan: object;
  /** Bytes that follow the plan, which contains their digest: two of the same plan have the same bytes. */
  readonly attached?: Uint8Array;
  readonly binds: readonly Mount[];
  /** Mounts inside the binds, over entries that have different access. */
  readonly guards?: readonly Mount[];
  readonly limits: Limits;
  /** Megabytes of the engine's own heap; there is a default. */
  readonly megabytes?: number;
}

/** Starts our program in a sandbox that contains only it, the engine, and the binds. */
export async function startSandboxed(
  machine: Machine,
  setup: Setup,
  { id, signal }: { readonly id: string; readonly signal?: AbortSignal },
): Promise<Child> {
  const problem = machine.isRoot ? unreachableIn(setup.binds) : null;
  if (problem !== null) throw new SkillError('unavailable', problem);
  const program = programInside(setup.program.replace(/^.*\//, ''));
  const guards = reachableGuards(setup.guards ?? [], setup.binds, machine.isRoot);
  const launched = await launch(machine, {
    id,
    argv: [nodeInside, ...nodeFlags(setup.limits, setup.megabytes), program],
    env: engineEnvironment,
    cwd: scratchTarget,
    binds: [
      ...engineFiles(),
      { source: setup.program, target: program, access: 'read' },
      ...inOrder([...setup.binds, ...guards]),
    ],
    folders: engineFolders(),
    exact: setup.binds.filter(({ target }) => !isOfEngine(target)),
    guards,
    proc: false,
    limits: processLimits(setup.limits, setup.megabytes),
    stdin: 'pipe',
    startLine: `${JSON.stringify(setup.plan)}\n`,
    ...(signal === undefined ? {} : { signal }),
  });
  return childOf({ ...launched, enforcement: launched.enforcement.map(refined) });
}

const refinements: Partial<Record<Enforcement['what'], (by: string) => string>> = {
  memory: (by) => `V8, linear memory; ${by}`,
  processes: (by) => `WASI, which cannot start any; ${by}`,
  network: (by) => `WASI, which has none; ${by}`,
};

export function refined({ what, by }: Enforcement): Enforcement {
  return { what, by: refinements[what]?.(by) ?? by };
}

type Module = Extract<Task, { kind: 'module' }>;

/** Limits that do not matter for starting a child: runs that differ only there can use the same one. */
const runOnly = { timeoutMs: 0, outputBytes: 0 };

/** Bytes that V8 accepts of a module, at most; a longer one is not read at all. */
const mostModuleBytes = 1024 * 1024 * 1024;

export function guardsOf({ guards }: Pick<RunSpec, 'guards'>): Pick<Setup, 'guards'> {
  return guards === undefined ? {} : { guards };
}

/** The folders that are preopened for a guest. Relative paths start from the folder it runs in. */
export function preopensOf({ mounts, folder }: Pick<RunSpec, 'mounts' | 'folder'>): Plan['preopens'] {
  const targets = [skillTarget, scratchTarget, ...mounts.map(({ target }) => target)];
  const here = folder === 'skill' ? skillTarget : scratchTarget;
  return { ...Object.fromEntries(targets.map((target) => [target, target])), '.': here };
}

/** The folders of the engine, except those that contain a granted one. */
function closable({ mounts }: Pick<RunSpec, 'mounts'>): readonly string[] {
  return engineFolders().filter((folder) => !mounts.some(({ target }) => `${target}/`.startsWith(`${folder}/`)));
}

export function moduleSetup(spec: RunSpec, task: Module, program: string): Setup {
  const plan: Plan = { module: moduleInside, digest: task.digest, preopens: preopensOf(spec), closes: closable(spec) };
  const module: Mount = { source: task.file, target: moduleInside, access: 'read' };
  return {
    program,
    plan,
    binds: [module, ...mountsOf(spec)],
    ...guardsOf(spec),
    limits: { ...spec.limits, ...runOnly },
  };
}

/** The setup of a module in memory mode, where the child gets the module itself and not its path. */
export function memorySetup(spec: RunSpec, task: Module, program: string): Setup {
  const { scratchBytes, fileBytes } = spec.limits;
  const read = readRegularFile(task.file, mostModuleBytes);
  if (!read.ok) throw new SkillError('unreadable', `${task.file} cannot be read (${read.reason})`);
  const { bytes: attached } = read.value;
  const preopens = { [skillTarget]: 'skill', [scratchTarget]: 'scratch', '.': spec.folder } as const;
  const plan: MemoryPlan = { moduleBytes: attached.length, digest: task.digest, preopens, scratchBytes, fileBytes };
  return { program, plan, attached, binds: [], limits: { ...spec.limits, ...runOnly } };
}

export function moduleOrder(spec: RunSpec, task: Module): Order {
  const name = task.file.replace(/^.*[\\/]/, '');
  return { args: [name, ...task.args], env: spec.env };
}

/** The path of the program inside. */
const wasmtimeInside = '/run/wasmtime';

/** Finds the system's program, or the configured one. */
export function findWasmtime(configured: string | undefined): string {
  const found = configured ?? findProgram('wasmtime');
  if (found !== null) return found;
  throw new SkillError('unavailable', 'wasmtime was chosen to run WebAssembly, but is not installed', {
    hint: 'Install it from wasmtime.dev into /usr/local/bin, or let Node run modules.',
  });
}

/**
 * The arguments of wasmtime for one run. Folders have the same names inside and outside of the guest. Only the names of
 * variables are here: the values come from the environment of wasmtime itself, so that no process list shows them.
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

/** Runs a module with wasmtime, in the same sandbox as every other program, without a `/proc`. */
export function launchWasmtime(machine: Machine, spec: RunSpec, program: string): Promise<Launched> {
  if (spec.task.kind !== 'module') throw new Error('not a module');
  const exact = mountsOf(spec);
  const guards = reachableGuards(spec.guards ?? [], exact, machine.isRoot);
  const binds: readonly Mount[] = [
    { source: program, target: wasmtimeInside, access: 'read' },
    { source: spec.task.file, target: moduleInside, access: 'read' },
    ...inOrder([...exact, ...guards]),
  ];
  return launch(machine, {
    id: spec.id,
    argv: [wasmtimeInside, ...wasmtimeArgs(moduleInside, spec, moduleOrder(spec, spec.task).args)],
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
