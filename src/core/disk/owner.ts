import { readFileSync, readlinkSync } from 'node:fs';
import { attempt } from '../attempt.ts';
import { reasonOf } from '../errors.ts';
import { sha256 } from '../hash.ts';

/**
 * The name that a process gives to its files on disk: its number, its start time, and the namespace that its number
 * counts in. Later processes can tell by it which files are abandoned: a number alone is reused, and means another
 * process in a container, or on another host that shares the home.
 */
export type Owner = string;

export type Life = 'alive' | 'dead' | 'unknown';

let self: Owner | undefined;

/** The name of this process: the number alone where the system reveals no more. */
export function thisProcess(): Owner {
  if (self !== undefined) return self;
  const { host, boot, namespace } = world();
  self = `${process.pid}.${startOf(process.pid) ?? '0'}.${host}${boot}${namespace}`;
  return self;
}

/** The user who runs this process, as the system names them: by number where they have no name. */
export function userName(): string {
  return attempt(
    () => process.getBuiltinModule('node:os').userInfo().username,
    String(process.getuid?.() ?? 'unknown'),
  );
}

const form = /^(\d{1,15})\.(\d+)\.([0-9a-z]+)(?:[.-]|$)/;

/**
 * Tells whether the process of that name is still alive, whatever follows its name. Processes of an earlier boot of
 * this host are not. For processes of another container or another host it cannot be determined.
 */
export function lifeOf(owner: Owner): Life {
  const [, pid, started, where] = form.exec(owner) ?? [];
  const [, host, boot, namespace] = worldForm.exec(where ?? '') ?? [];
  if (started === undefined || host === undefined) return 'unknown';
  const here = world();
  if (boot !== here.boot) return here.isHostKnown && host === here.host ? 'dead' : 'unknown';
  if (namespace !== here.namespace) return 'unknown';
  if (started === '0') return answers(Number(pid)) ? 'alive' : 'dead';
  return hasEnded(Number(pid), started) ? 'dead' : 'alive';
}

/**
 * Milliseconds for which a process that cannot be observed counts as alive after its last sign of life: no run may take
 * as long.
 */
const outOfSightMs = 24 * 60 * 60 * 1000;

/**
 * Tells whether the process is dead, or cannot be observed and its last sign of life is so old that it counts as dead.
 */
export function isGone(owner: Owner, lastSeenAt: number): boolean {
  const life = lifeOf(owner);
  return life === 'dead' || (life === 'unknown' && form.test(owner) && Date.now() - lastSeenAt > outOfSightMs);
}

/** The start time of a process, in ticks since boot; null where there is no such process. */
export function startOf(pid: number): string | null {
  return statFieldsOf(pid)?.[19] ?? null;
}

/**
 * Tells whether a process has ended, even if nobody has collected its exit status. Where that cannot be read just now,
 * it has not.
 */
export function hasEnded(pid: number, started: string): boolean {
  const fields = statFieldsOf(pid);
  if (fields === null) return !answers(pid);
  return fields[19] !== started || /^[ZXx]$/.test(fields[0] ?? '');
}

/** The fields of a process's `stat` after the name of its program, which may itself hold spaces and brackets. */
export function statFieldsOf(pid: number): readonly string[] | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/**
 * The scope in which a process number counts. The namespace of a host's first process has the same number on all hosts.
 */
interface World {
  readonly host: string;
  readonly boot: string;
  readonly namespace: string;
  readonly isHostKnown: boolean;
}

const worldForm = /^(.{6})(.{6})(.{4})$/;

let ownWorld: World | undefined;

function world(): World {
  ownWorld ??= lookAround();
  return ownWorld;
}

function lookAround(): World {
  const machine = attempt(() => readFileSync('/etc/machine-id', 'latin1').trim(), '');
  // Machines that were cloned may share an id, but hardly a name as well.
  const host = `${machine} ${process.getBuiltinModule('node:os').hostname()}`;
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'), '');
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'), '');
  return {
    host: short(host, 6),
    boot: short(boot || host, 6),
    namespace: short(namespace, 4),
    isHostKnown: machine !== '',
  };
}

/** A shortened digest: the id of a machine is not for everybody to see. */
function short(text: string, length: number): string {
  return Number.parseInt(sha256(text).slice(0, 12), 16).toString(36).padStart(length, '0').slice(-length);
}

/** Tells whether there is a process of that number, another user's too. */
export function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return reasonOf(error) !== 'ESRCH';
  }
}
