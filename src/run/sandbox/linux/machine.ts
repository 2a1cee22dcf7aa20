import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { realPathOrSelf, statOf } from '../../../core/files.ts';
import { sessionDir } from '../../../core/paths.ts';
import { unwritableFolder } from '../kept-folders.ts';
import type { CgroupPlace } from './cgroup.ts';
import { enterScope, findCgroupPlace, managerOfUser } from './find-cgroup.ts';
import { createPipes, type Pipes } from './pipes.ts';
import { writeCallFilter } from './system-calls.ts';
import {
  createRuntimeFolder,
  createSystemView,
  findProgram,
  isHidden,
  privateFolder,
  removeRuntimeFolder,
  type SystemView,
} from './system-view.ts';

/** What this machine has to build sandboxes from: looked up once. */
export interface Machine {
  readonly isRoot: boolean;
  readonly bwrap: string;
  readonly setpriv: string;
  readonly prlimit: string;
  readonly shell: string;
  readonly shellIsDash: boolean;
  /** For what only root can reach. */
  readonly unshare: string;
  readonly mount: string;
  /** Null where it is not installed: then there is no network to be had. */
  readonly socat: string | null;
  readonly cgroups: CgroupPlace | null;
  readonly pipes: Pipes;
  readonly view: SystemView;
  /** The file that says which system calls there are; null for all of them. */
  readonly callFilter: string | null;
  /** Private to this process. */
  readonly runtimeFolder: string;
  /** How many open files we may have ourselves, and so may hand on. */
  readonly openFiles: number;
}

const packageOf: Readonly<Record<string, string>> = {
  bwrap: 'bubblewrap',
  setpriv: 'util-linux',
  prlimit: 'util-linux',
  sh: 'dash',
  mkfifo: 'coreutils',
  unshare: 'util-linux',
  mount: 'mount',
};

let known: Machine | null = null;

/** Throws `unavailable` with the remedy where something is not installed. */
export function machineFor(environment: Environment): Machine {
  known ??= findMachine(environment);
  return known;
}

/** Takes the private folder away. Whoever needs the machine again asks for it again, and gets a new one. */
export function leaveMachine(): void {
  if (known !== null) removeRuntimeFolder(known.runtimeFolder);
  known = null;
}

function findMachine(environment: Environment): Machine {
  const isRoot = process.getuid?.() === 0;
  const names = ['bwrap', 'setpriv', 'prlimit', 'mkfifo', 'unshare', 'mount'] as const;
  const programs = Object.fromEntries(names.map((name) => [name, needed(name)])) as Record<
    (typeof names)[number],
    string
  >;
  const shell = needed('sh');
  const cgroups = findCgroupPlace() ?? (enterScope(managerOfUser(environment)) ? findCgroupPlace() : null);
  const files = createFiles(environment, cgroups);
  return {
    ...programs,
    ...files,
    isRoot,
    shell,
    shellIsDash: realPathOrSelf(shell).endsWith('/dash'),
    socat: findProgram('socat'),
    cgroups,
    pipes: createPipes(privateFolder(files.runtimeFolder), programs.mkfifo),
    openFiles: Math.min(1024, openFileLimit()),
  };
}

type Files = Pick<Machine, 'runtimeFolder' | 'view' | 'callFilter'>;

/** What sandboxes read of ours. */
function createFiles(environment: Environment, cgroups: CgroupPlace | null): Files {
  const parent = runtimeParent(environment);
  let runtimeFolder: string | null = null;
  try {
    runtimeFolder = createRuntimeFolder(parent);
    const callFilter = writeCallFilter(runtimeFolder, cgroups === null ? 'by its maps' : 'by a control group');
    return { runtimeFolder, view: createSystemView(runtimeFolder), callFilter };
  } catch (error) {
    if (runtimeFolder !== null) removeRuntimeFolder(runtimeFolder);
    throw unwritableFolder(parent, parent === sessionDir(environment) ? 'XDG_RUNTIME_DIR' : 'TMPDIR', error);
  }
}

/**
 * Where folders for sockets go: the user's own place for such things, or one for everybody. What root runs is run as
 * somebody else, who has to get in.
 */
export function runtimeParent(environment: Environment): string {
  const own = sessionDir(environment);
  const stats = own === undefined ? undefined : statOf(own);
  const isOwn = stats?.ok && stats.value.uid === process.getuid?.();
  const places = [...(own !== undefined && isOwn ? [own] : []), tmpdir()];
  const fits = (place: string) => process.getuid?.() !== 0 || !isHidden(`${place}/x`);
  return places.find(fits) ?? '/tmp';
}

function needed(name: string): string {
  const path = findProgram(name);
  if (path !== null) return path;
  const hint = `Install it: apt-get install ${packageOf[name]} (or the package ${packageOf[name]} of your system).`;
  throw new SkillError('unavailable', `the sandbox needs ${name}, which is not installed`, { hint });
}

/** How many files this process may have open: Node raises its limit as far as it may. */
export function openFileLimit(): number {
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return Number(hard ?? 1024);
}
