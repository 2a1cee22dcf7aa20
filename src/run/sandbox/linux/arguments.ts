import { readdirSync, readFileSync } from 'node:fs';
import { thisProcess } from '../../../core/disk/owner.ts';
import { isInside } from '../../../core/disk/paths.ts';
import type { Mount } from '../../policy/types.ts';
import { descriptors, filterDescriptor, gateScript, limitsOutside, socketInside } from './gate.ts';
import type { Machine } from './machine.ts';
import { isOrphaned } from './owner.ts';
import type { LaunchPlan } from './plan.ts';
import { insideUser, isFolder, isHidden, type Stage } from './system-view.ts';

export { bridgeConnections, proxyPort } from './gate.ts';

/** Size of `/dev/shm`: small, so that it cannot serve as a second scratch folder. */
const sharedMemoryBytes = 1_048_576;

/** Prefix of an argument of every launcher, by which one that was left behind is recognised. */
const launcherMark = 'REPERTOIRE_RUN_';

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The user to start it as; null for our own. */
  readonly user: number | null;
}

/**
 * Returns the command that launches a plan. The sandbox itself never belongs to root. If root shows it something below
 * a folder that is closed to others, such as root's home, a mount namespace is created first in which it is also found
 * at an open place.
 */
export function commandFor(machine: Machine, plan: LaunchPlan, user: number | null): Command {
  const binds = allBinds(machine, plan);
  const hidden = user === null ? [] : binds.filter(({ source }) => isHidden(source));
  if (user === null || hidden.length === 0) {
    const [program, ...args] = [...limiting(machine, plan), machine.bwrap, ...sandboxArgs(machine, plan, binds)];
    return { program: program ?? machine.bwrap, args, user };
  }
  const tops = hidden.filter((bind) => !plan.guards?.includes(bind));
  const places = new Map(tops.map(({ source }, index) => [source, placeFor(machine.view.stage, source, index)]));
  const shown = binds.map((bind) => ({ ...bind, source: shownAt(bind.source, places) }));
  const pairs = [...places].flat();
  const inner = [...limiting(machine, plan), machine.bwrap, ...sandboxArgs(machine, plan, shown)];
  const script = [
    ...[...places].map((_, index) => `${machine.mount} -n -c --rbind "$${2 * index + 1}" "$${2 * index + 2}" || exit`),
    `shift ${pairs.length}`,
    'exec "$@"',
  ].join('\n');
  const start = ['--mount', '--propagation', 'private', '--', machine.shell, '-c', script, 'show', ...pairs];
  return { program: machine.unshare, args: [...start, ...asUser(machine, user), ...inner], user: null };
}

/** The command that lowers the limits if no shell inside can do it. */
function limiting(machine: Machine, plan: LaunchPlan): readonly string[] {
  return plan.startLine === undefined ? [] : [machine.prlimit, ...limitsOutside(machine, plan)];
}

/** Maps a path to its place if it lies inside something that is shown elsewhere. */
function shownAt(source: string, places: ReadonlyMap<string, string>): string {
  const around = [...places.keys()].filter((one) => isInside(one, source));
  const [nearest] = around.toSorted((one, other) => other.length - one.length);
  return nearest === undefined ? source : `${places.get(nearest)}${source.slice(nearest.length)}`;
}

function placeFor(stage: Stage, source: string, index: number): string {
  const place = (isFolder(source) ? stage.folders : stage.files)[index];
  if (place === undefined) throw new Error('it needs too many folders at once');
  return place;
}

function allBinds(machine: Machine, plan: LaunchPlan): readonly Mount[] {
  if (plan.startLine !== undefined) return plan.binds;
  const etc: Mount = { source: machine.view.etc, target: '/etc', access: 'read' };
  const socket: readonly Mount[] =
    plan.socket === undefined ? [] : [{ source: plan.socket, target: socketInside, access: 'write' }];
  return [etc, ...socket, ...plan.binds];
}

function asUser(machine: Machine, user: number): readonly string[] {
  const id = String(user);
  return [machine.setpriv, '--reuid', id, '--regid', id, '--clear-groups', '--no-new-privs', '--inh-caps=-all'];
}

function sandboxArgs(machine: Machine, plan: LaunchPlan, binds: readonly Mount[]): readonly string[] {
  const shown = binds.map(({ source, target, access }) => [
    access === 'write' ? '--bind' : '--ro-bind',
    source,
    target,
  ]);
  const [system, others] = plan.startLine === undefined ? systemAnd(machine, shown) : [[], shown];
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--as-pid-1'],
    ...['--unsetenv', `${launcherMark}${thisProcess()}`],
    ...['--uid', String(insideUser), '--gid', String(insideUser), '--hostname', 'sandbox'],
    ...system,
    ...(plan.proc ? ['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'] : []),
    ...['--dev', '/dev', '--size', String(sharedMemoryBytes), '--perms', '0700', '--tmpfs', '/dev/shm'],
    ...['--remount-ro', '/dev'],
    ...['--size', String(plan.limits.scratchBytes), '--perms', '0700', '--tmpfs', '/tmp'],
    ...(plan.folders ?? []).flatMap((folder) => ['--size', '4096', '--perms', '0700', '--tmpfs', folder]),
    ...others.flat(),
    // The root folder lies in memory without a limit, so nobody may write there.
    ...['--remount-ro', '/'],
    ...(machine.callFilter === null ? [] : ['--seccomp', String(filterDescriptor(plan))]),
    ...['--chdir', plan.cwd, '--json-status-fd', String(descriptors.status)],
    ...(plan.startLine === undefined ? ['--', machine.shell, '-c', gateScript(machine, plan), 'run'] : ownStart(plan)),
    ...plan.argv,
  ];
}

/** Splits the binds: the first belongs to the system. */
function systemAnd({ view }: Machine, [etc, ...others]: readonly string[][]): [readonly string[], string[][]] {
  return [[...view.top, ...(etc ?? []), ...view.settings], others];
}

function ownStart({ env }: LaunchPlan): readonly string[] {
  return ['--clearenv', ...Object.entries(env).flatMap(([key, value]) => ['--setenv', key, value]), '--'];
}

/**
 * Kills launchers whose owners are dead. They end by themselves when their owner dies, except for one moment during
 * set-up in which they would wait forever, with nothing of the run started.
 */
export function killLeftBehind(): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !isLeftBehind(name)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // another user's, or already ended
    }
  }
}

function isLeftBehind(pid: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    if (!words[0]?.endsWith('/bwrap')) return false;
    const mark = words.find((word) => word.startsWith(launcherMark));
    return mark !== undefined && isOrphaned(mark.slice(launcherMark.length));
  } catch {
    return false;
  }
}
