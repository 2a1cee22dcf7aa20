import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerCreateOptions, HostConfig, ImageInspectInfo, MountSettings } from 'dockerode';
import { thisProcess } from '../../../core/disk/owner.ts';
import { discard } from '../../../core/disk/replace.ts';
import type { Mount } from '../../policy/types.ts';
import { folderPrefix } from '../linux/system-view.ts';
import { mountsOf, unreachable } from '../mounts.ts';
import { type RunSpec, scratchTarget, skillTarget } from '../types.ts';
import { type EngineInfo, isPodman } from './ability.ts';
import { containerName, labels, type Part, type Plan, type Walls } from './engine.ts';

/** The user of every container: nobody, by number, because an image may give that name to anyone. */
const user = '65534:65534';

/** Open files per process: enough for every program, too few for a flood of files. */
const openFiles = 1024;

/**
 * The `nproc` limit, which counts per user of the machine and not per container; it only keeps engines from requesting
 * more than they may have.
 */
const processesOfUser = 4096;

/** Seconds that our own count of processor time may take to notice the limit. */
const countingSeconds = 10;

/** Size of `/dev/shm`, which only has to exist for locks and is not scratch space. */
const sharedMemoryBytes = 1024 * 1024;

/** Folders that Podman makes writable in a container whose root is read-only. */
const writableByPodman = ['/run', '/var/tmp'];

/** The parts in which one container differs from the others. */
interface Parts {
  readonly image: ImageInspectInfo;
  readonly args: readonly string[];
  readonly env: RunSpec['env'];
  /** `none`, or the network of another container. */
  readonly network: string;
  readonly walls: Walls;
}

/** The container of one run: only the image, the skill, the granted folders and a scratch folder of limited size. */
export function containerFor(spec: RunSpec, info: EngineInfo, { image, args, env, network, walls }: Parts): Plan {
  const common = hardened(spec, info, 'tool', walls);
  const mounts = mountsOf(spec);
  const taken = [scratchTarget, ...mounts.map((mount) => mount.target)];
  // Volumes of the image would be folders of the host without a size limit.
  const volumes = Object.keys(image.Config.Volumes ?? {}).filter((path) => !taken.includes(path));
  return {
    ...common,
    name: containerName(spec.id, 'tool'),
    // The image is named by its digest, because its name may mean another image a moment later.
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
 * The mount option that gives a tmpfs to the user of the run, who can then write there in any case: some engines give
 * it the mode of the image's own folder, whatever was requested. Podman has its own option for that, and would also
 * copy the image's files.
 */
function owned(info: EngineInfo): string {
  const [uid, gid] = user.split(':');
  return isPodman(info) ? 'U,notmpcopyup' : `uid=${uid},gid=${gid}`;
}

/** Returns empty, read-only mounts over folders that would otherwise be writable without a limit. */
export function closedFolders(info: EngineInfo, volumes: readonly string[]): Record<string, string> {
  const paths = [...volumes, ...(isPodman(info) ? writableByPodman : [])];
  return Object.fromEntries(paths.map((path) => [path, 'ro,size=4096']));
}

/** The settings that every container of ours is created with. */
export function hardened(spec: RunSpec, info: EngineInfo, part: Part, walls: Walls): ContainerCreateOptions {
  const { memoryBytes, processes, fileBytes, cpuSeconds } = spec.limits;
  return {
    User: user,
    Labels: { [labels.execution]: spec.id, [labels.owner]: thisProcess(), [labels.part]: part },
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    // Removing a container kills it at once instead of waiting first.
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
        // Processor time of all processes together is counted by us; this limit holds even if nobody is left to count.
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
 * Returns the mounts in the engine's two notations. Podman turns the first into a comma-separated list, and both
 * engines split the second at colons, so each path goes into the one where none of its characters has a meaning.
 */
export function mounted(mounts: readonly Mount[]): Pick<HostConfig, 'Mounts' | 'Binds'> {
  const separable = mounts.filter((mount) => !hasComma(mount));
  return { Mounts: separable.map(setting), Binds: mounts.filter(hasComma).map(bind) };
}

/** Returns why one of the mounts cannot be made or would be of no use; null if all can. */
export function problemWithMounts(mounts: readonly Mount[]): string | null {
  for (const mount of mounts) {
    const problem = problemWith(mount);
    if (problem !== null) return problem;
  }
  return null;
}

function problemWith(mount: Mount): string | null {
  const { source, target } = mount;
  if (hasComma(mount) && `${source}${target}`.includes(':')) {
    return `a path with both a comma and a colon cannot be mounted: ${source}`;
  }
  // A missing folder would be created by the engine, as root.
  return unreachable(mount, 'containers run as nobody, who');
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
    // Mounts below a folder would not become read-only with it.
    BindOptions: { Propagation: 'rprivate', ...(access === 'read' && { NonRecursive: true }) } as NonNullable<
      MountSettings['BindOptions']
    >,
  };
}

function bind({ source, target, access }: Mount): string {
  return `${source}:${target}:${access === 'read' ? 'ro' : 'rw'},rprivate`;
}

/** A folder for files that a run needs on this machine, closed to other users. Created on first use. */
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
      if (folder !== null) discard(folder);
      folder = null;
    },
  };
}
