import { SkillError } from '../../kernel/errors.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import { inOrder, reachableGuards } from '../linux/guarded.ts';
import { launch } from '../linux/launch.ts';
import type { Machine } from '../linux/machine.ts';
import { unreachableIn } from '../native/reach.ts';
import { type Enforcement, scratchTarget } from '../types.ts';
import { type Child, childOf } from './child.ts';
import {
  engineEnvironment,
  engineFiles,
  engineFolders,
  isOfEngine,
  nodeInside,
  programInside,
} from './engine-files.ts';
import { nodeFlags, processLimits } from './flags.ts';

/** What a child is started for; two of the same key can stand in for each other. */
export interface Setup {
  /** The program of ours that runs inside, by its path on this machine. */
  readonly program: string;
  /** What it is told. */
  readonly plan: object;
  /** Bytes that follow the plan, which tells their digest: two of the same plan have the same bytes. */
  readonly attached?: Uint8Array;
  readonly binds: readonly Mount[];
  /** What lies in them and is held otherwise. */
  readonly guards?: readonly Mount[];
  readonly limits: Limits;
  /** Of the engine's own heap; there is a default. */
  readonly megabytes?: number;
}

/** Starts our program in a sandbox in which there is nothing but it, the engine, and what is bound. */
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
    told: `${JSON.stringify(setup.plan)}\n`,
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
