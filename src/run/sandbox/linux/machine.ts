import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { realPathOrSelf, statOf } from '../../../core/disk/files.ts';
import { sessionDir } from '../../../core/disk/paths.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
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

/** The programs and resources of this machine from which sandboxes are built; looked up once. */
export interface Machine {
  readonly isRoot: boolean;
  readonly bwrap: string;
  readonly setpriv: string;
  readonly prlimit: string;
  readonly shell: string;
  readonly shellIsDash: boolean;
  /** Programs for showing files that only root can reach. */
  readonly unshare: string;
  readonly mount: string;
  /** The program for network access; null if it is not installed, and then there is no network. */
  readonly socat: string | null;
  readonly cgroups: CgroupPlace | null;
  readonly pipes: Pipes;
  readonly view: SystemView;
  /** The file with the seccomp filter; null if all system calls are allowed. */
  readonly callFilter: string | null;
  /** A folder private to this process. */
  readonly runtimeFolder: string;
  /** Number of files that we may have open ourselves, and so may pass on as a limit. */
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

/** Finds the machine's programs once. Throws `unavailable` with the remedy if one is not installed. */
export function machineFor(environment: Environment): Machine {
  known ??= findMachine(environment);
  return known;
}

/** Removes the private folder. The next caller that needs the machine gets a new one. */
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

/** Creates the files of ours that sandboxes read. */
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
 * The folder in which folders for sockets are created: the user's own runtime folder, or a shared one. Runs of root are
 * another user, who has to get in.
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

/** Number of files that this process may have open: Node raises its soft limit to the hard one. */
export function openFileLimit(): number {
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return Number(hard ?? 1024);
}
