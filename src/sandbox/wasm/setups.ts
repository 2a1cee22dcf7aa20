import { SkillError } from '../../kernel/errors.ts';
import { readRegularFile } from '../../kernel/files.ts';
import type { Mount } from '../../policy/types.ts';
import { type RunSpec, scratchTarget, skillTarget, type Task } from '../types.ts';
import { engineFolders, moduleInside } from './engine-files.ts';
import type { MemoryPlan, Order, Plan } from './protocol.ts';
import type { Setup } from './sandboxed.ts';

type Module = Extract<Task, { kind: 'module' }>;

/** Only what a child is started with: two runs that differ elsewhere can use the same one. */
const runOnly = { timeoutMs: 0, outputBytes: 0 };

/** A module that is longer than V8 takes is not read at all. */
const mostModuleBytes = 1024 * 1024 * 1024;

/** What a run sees of the machine. */
export function bindsOf(spec: Pick<RunSpec, 'skillFolder' | 'mounts'>): readonly Mount[] {
  return [{ source: spec.skillFolder, target: skillTarget, access: 'read' }, ...spec.mounts];
}

export function guardsOf({ guards }: Pick<RunSpec, 'guards'>): Pick<Setup, 'guards'> {
  return guards === undefined ? {} : { guards };
}

/** The folders that a guest begins with. Paths from nowhere are meant from the folder it runs in. */
export function preopensOf({ mounts, folder }: Pick<RunSpec, 'mounts' | 'folder'>): Plan['preopens'] {
  const targets = [skillTarget, scratchTarget, ...mounts.map(({ target }) => target)];
  const here = folder === 'skill' ? skillTarget : scratchTarget;
  return { ...Object.fromEntries(targets.map((target) => [target, target])), '.': here };
}

/** The folders of the engine, unless something was granted that lies in one of them. */
function closable({ mounts }: Pick<RunSpec, 'mounts'>): readonly string[] {
  return engineFolders().filter((folder) => !mounts.some(({ target }) => `${target}/`.startsWith(`${folder}/`)));
}

export function moduleSetup(spec: RunSpec, task: Module, program: string): Setup {
  const plan: Plan = { module: moduleInside, digest: task.digest, preopens: preopensOf(spec), closes: closable(spec) };
  const module: Mount = { source: task.file, target: moduleInside, access: 'read' };
  return {
    program,
    plan,
    binds: [module, ...bindsOf(spec)],
    ...guardsOf(spec),
    limits: { ...spec.limits, ...runOnly },
  };
}

/** The same in memory mode, where the child gets the module itself and not its path. */
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
