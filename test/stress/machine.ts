import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** Whether it makes a sandbox; what it is told to start in it is among its words then. */
  readonly isLauncher: boolean;
}

const launchers = new Set(['bwrap', 'unshare', 'setpriv', 'prlimit']);

/** The processes that were started for runs of skills below some folders: they were told of one, or it is mounted for them. */
export function processesFor(folders: readonly string[]): readonly Process[] {
  return processes().filter(({ pid, command }) => {
    const mounted = textOf(`/proc/${pid}/mountinfo`);
    return folders.some((folder) => command.includes(folder) || mounted.includes(folder));
  });
}

/** All that have not ended. */
function processes(): readonly Process[] {
  return entriesOf('/proc').flatMap((name) => {
    const status = /^\d+$/.test(name) ? textOf(`/proc/${name}/status`) : '';
    if (status === '' || /^State:\s+[ZX]/m.test(status)) return [];
    const command = textOf(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
    const [, program = ''] = /^Name:\s+(.*)/m.exec(status) ?? [];
    return [{ pid: Number(name), parent: parentIn(status), command, isLauncher: launchers.has(program) }];
  });
}

/** Whether it has come from one of these, at however many removes. */
export function comesFrom({ parent }: Process, ancestors: ReadonlySet<number>): boolean {
  for (let pid = parent; pid > 1; pid = parentIn(textOf(`/proc/${pid}/status`))) if (ancestors.has(pid)) return true;
  return false;
}

function parentIn(status: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
}

/** Mounts of something below a folder that everybody sees; others mount and unmount on this machine as well. */
export function mountsOf(folder: string): readonly string[] {
  return textOf('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line.includes(folder));
}

/** The control groups that processes have made for runs. */
export function groupsOf(pids: readonly number[]): readonly string[] {
  const root = '/sys/fs/cgroup';
  const places = [root, ...entriesOf(root).map((name) => join(root, name))].map((place) => join(place, 'repertoire'));
  return places.flatMap((place) =>
    entriesOf(place)
      .filter((name) => pids.includes(Number(/^(\d+)\.\d+\.\d+-/.exec(name)?.[1])))
      .map((name) => join(place, name)),
  );
}

/** Everything below a folder, but for the pipes that lie ready for runs to come. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/\/pipe-\d+$/.test(name))
    .toSorted();
}

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Looks again and again until nothing is left. */
export async function untilNone<T>(left: () => readonly T[]): Promise<void> {
  await expect.poll(left).toEqual([]);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
