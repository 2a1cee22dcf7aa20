import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerCreateOptions, HostConfig, ImageInspectInfo, MountSettings } from 'dockerode';
import { statOf } from '../../../core/files.ts';
import { thisProcess } from '../../../core/owner.ts';
import type { Mount } from '../../policy/types.ts';
import { removeFolder } from '../linux/owner.ts';
import { folderPrefix } from '../linux/system-view.ts';
import { type RunSpec, scratchTarget, skillTarget } from '../types.ts';
import { type EngineInfo, isPodman } from './ability.ts';
import { containerName, labels, type Part, type Plan, type Walls } from './engine.ts';

/** The user of every container: nobody, by number, because images may call anyone by that name. */
const user = '65534:65534';

/** Enough for every program, and too little for a flood of files. */
const openFiles = 1024;

/** Per user of the machine and not per container, so this only keeps engines from asking for more than they may have. */
const processesOfUser = 4096;

/** How long it may take until the count is noticed. */
const countingSeconds = 10;

/** Shared memory is not scratch space; it only has to be there for locks. */
const sharedMemoryBytes = 1024 * 1024;

/** Places that Podman makes writable in a container whose root is read-only. */
const writableByPodman = ['/run', '/var/tmp'];

/** What a container is made of, besides what every one of them is. */
interface Parts {
  readonly image: ImageInspectInfo;
  readonly args: readonly string[];
  readonly env: RunSpec['env'];
  /** `none`, or that of another container. */
  readonly network: string;
  readonly walls: Walls;
}

/** The container of one run: nothing in it but the image, the skill, what was granted, and a sized scratch folder. */
export function containerFor(spec: RunSpec, info: EngineInfo, { image, args, env, network, walls }: Parts): Plan {
  const common = hardened(spec, info, 'tool', walls);
  const mounts = mountsOf(spec);
  const taken = [scratchTarget, ...mounts.map((mount) => mount.target)];
  // Volumes of the image would be folders of the host without a limit.
  const volumes = Object.keys(image.Config.Volumes ?? {}).filter((path) => !taken.includes(path));
  return {
    ...common,
    name: containerName(spec.id, 'tool'),
    // By its digest: the name may mean another image in a moment.
    Image: image.Id,
    ...(args.length > 0 && { Entrypoint: [...args], Cmd: [] }),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    WorkingDir: spec.folder === 'skill' ? skillTarget : scratchTarget,
    ...(spec.stdin !== null && { AttachStdin: true, OpenStdin: true, StdinOnce: true }),
    HostConfig: {
      ...common.HostConfig,
      NetworkMode: network,
      ...mounted([...mounts, ...(spec.guards ?? [])]),
      Tmpfs: {
        ...closedFolders(info, volumes),
        [scratchTarget]: `rw,exec,nosuid,nodev,mode=1777,size=${spec.limits.scratchBytes},${owned(info)}`,
      },
    },
  };
}

/**
 * Some engines give a tmpfs the mode of the image's own folder, whatever was asked for: so it belongs to the user of the
 * run, who may then write there in any case. Podman has its own word for that, and would copy the image's files too.
 */
function owned(info: EngineInfo): string {
  const [uid, gid] = user.split(':');
  return isPodman(info) ? 'U,notmpcopyup' : `uid=${uid},gid=${gid}`;
}

/** Folders that would be writable without a limit, made empty and read-only. */
export function closedFolders(info: EngineInfo, volumes: readonly string[]): Record<string, string> {
  const paths = [...volumes, ...(isPodman(info) ? writableByPodman : [])];
  return Object.fromEntries(paths.map((path) => [path, 'ro,size=4096']));
}

export function mountsOf(spec: RunSpec): RunSpec['mounts'] {
  return [{ source: spec.skillFolder, target: skillTarget, access: 'read' }, ...spec.mounts];
}

/** What holds for every container that we start. */
export function hardened(spec: RunSpec, info: EngineInfo, part: Part, walls: Walls): ContainerCreateOptions {
  const { memoryBytes, processes, fileBytes, cpuSeconds } = spec.limits;
  return {
    User: user,
    Labels: { [labels.execution]: spec.id, [labels.owner]: thisProcess(), [labels.part]: part },
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    // To remove it is to kill it, and not to wait first.
    StopSignal: 'SIGKILL',
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: 'none',
      IpcMode: 'private',
      ReadonlyRootfs: true,
      Privileged: false,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', walls.callOption],
      ...(walls.runtime !== undefined && !isPodman(info) && { Runtime: walls.runtime }),
      Memory: memoryBytes,
      MemorySwap: memoryBytes,
      PidsLimit: processes,
      ...(info.CpuCfsQuota === true && { NanoCpus: 1e9 }),
      ShmSize: sharedMemoryBytes,
      Ulimits: [
        ulimit('nofile', openFiles),
        ulimit('nproc', processesOfUser),
        ulimit('core', 0),
        ulimit('fsize', fileBytes),
        // The time of all of them together is counted; this holds even when nobody is left to count.
        { Name: 'cpu', Soft: Math.ceil(cpuSeconds), Hard: Math.ceil(cpuSeconds) + countingSeconds },
      ],
      // Output is read from the pipe; a copy of it would fill the disk of the host.
      LogConfig: { Type: 'none', Config: {} },
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
    },
  };
}

function ulimit(name: string, value: number): { Name: string; Soft: number; Hard: number } {
  return { Name: name, Soft: value, Hard: value };
}

/**
 * The two ways to write down what is mounted. Podman turns the first one into a list with commas, and both engines
 * split the second one at colons, so that each path goes where nothing in it has a meaning.
 */
export function mounted(mounts: readonly Mount[]): Pick<HostConfig, 'Mounts' | 'Binds'> {
  const separable = mounts.filter((mount) => !hasComma(mount));
  return { Mounts: separable.map(setting), Binds: mounts.filter(hasComma).map(bind) };
}

const others = { read: 0o4, write: 0o2, enter: 0o1 } as const;

/** Why one of them cannot be mounted, or would be of no use; null where all of them can. */
export function problemWithMounts(mounts: readonly Mount[]): string | null {
  for (const mount of mounts) {
    const problem = problemWith(mount);
    if (problem !== null) return problem;
  }
  return null;
}

function problemWith(mount: Mount): string | null {
  const { source, target, access } = mount;
  if (hasComma(mount) && `${source}${target}`.includes(':')) {
    return `a path with both a comma and a colon cannot be mounted: ${source}`;
  }
  // Engines would make the folder that is missing, as root.
  const stats = statOf(source);
  if (!stats.ok) return `${source} does not exist (${stats.reason})`;
  const enter = stats.value.isDirectory() ? others.enter : 0;
  const needed = others.read | enter | (access === 'write' ? others.write : 0);
  if ((stats.value.mode & needed) === needed) return null;
  const how = access === 'write' ? 'rwX' : 'rX';
  return `containers run as nobody, who may not ${access} ${source}: chmod -R o+${how} ${source}`;
}

function hasComma({ source, target }: Mount): boolean {
  return /[,"\r\n]/.test(source + target);
}

function setting({ source, target, access }: Mount): MountSettings {
  return {
    Type: 'bind',
    Source: source,
    Target: target,
    ReadOnly: access === 'read',
    // What is mounted below a folder would not become read-only with it.
    BindOptions: { Propagation: 'rprivate', ...(access === 'read' && { NonRecursive: true }) } as NonNullable<
      MountSettings['BindOptions']
    >,
  };
}

function bind({ source, target, access }: Mount): string {
  return `${source}:${target}:${access === 'read' ? 'ro' : 'rw'},rprivate`;
}

/** A folder for what a run needs on this machine, closed to others. Made when first asked for. */
export interface RunFolder {
  path(): string;
  remove(): void;
}

export function createRunFolder(parent: string): RunFolder {
  let folder: string | null = null;
  return {
    path: () => {
      folder ??= mkdtempSync(join(parent, `${folderPrefix}${thisProcess()}-`));
      return folder;
    },
    remove: () => {
      if (folder !== null) removeFolder(folder);
      folder = null;
    },
  };
}
