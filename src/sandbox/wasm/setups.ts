import type { Mount } from '../../policy/types.ts';
import { type RunSpec, scratchTarget, skillTarget, type Task } from '../types.ts';
import { moduleInside } from './engine-files.ts';
import type { MemoryPlan, Order, Plan } from './protocol.ts';
import type { Setup } from './sandboxed.ts';

type Module = Extract<Task, { kind: 'module' }>;

/** Only what a child is started with: two runs that differ elsewhere can use the same one. */
const runOnly = { timeoutMs: 0, outputBytes: 0 };

/** What a run sees of the machine. */
export function bindsOf(spec: Pick<RunSpec, 'skillFolder' | 'mounts'>): readonly Mount[] {
  const inner = spec.mounts.toSorted((one, other) => one.target.length - other.target.length);
  return [{ source: spec.skillFolder, target: skillTarget, access: 'read' }, ...inner];
}

/** The folders that a guest begins with. Paths from nowhere are meant from the folder it runs in. */
export function preopensOf({ mounts, folder }: Pick<RunSpec, 'mounts' | 'folder'>): Plan['preopens'] {
  const targets = [skillTarget, scratchTarget, ...mounts.map(({ target }) => target)];
  const here = folder === 'skill' ? skillTarget : scratchTarget;
  return { ...Object.fromEntries(targets.map((target) => [target, target])), '.': here };
}

export function moduleSetup(spec: RunSpec, task: Module, program: string): Setup {
  const plan: Plan = { module: moduleInside, digest: task.digest, preopens: preopensOf(spec) };
  const module: Mount = { source: task.file, target: moduleInside, access: 'read' };
  return { program, plan, binds: [module, ...bindsOf(spec)], limits: { ...spec.limits, ...runOnly } };
}

/** The same where folders are held in memory. Nothing stands for the scratch folder. */
export function memorySetup(spec: RunSpec, task: Module, program: string): Setup {
  const { scratchBytes, fileBytes } = spec.limits;
  const sources = { [skillTarget]: spec.skillFolder, [scratchTarget]: '' };
  const preopens = { ...sources, '.': spec.folder === 'skill' ? spec.skillFolder : '' };
  const plan: MemoryPlan = { module: task.file, digest: task.digest, preopens, scratchBytes, fileBytes };
  return { program, plan, binds: [], limits: { ...spec.limits, ...runOnly } };
}

export function moduleOrder(spec: RunSpec, task: Module): Order {
  const name = task.file.replace(/^.*[\\/]/, '');
  return { args: [name, ...task.args], env: spec.env };
}
