import { readFileSync, readlinkSync } from 'node:fs';
import { reasonOf } from './errors.ts';

/**
 * What a process leaves on a machine carries its name: its number, when it was started, and the world that its number
 * counts in. So that whoever comes later can tell what is nobody's any more: a number alone is given to others later,
 * and means someone else in a container.
 */
export type Owner = string;

export type Life = 'alive' | 'dead' | 'unknown';

let self: Owner | undefined;

/** This process. Where the system does not tell more, the number has to do. */
export function thisProcess(): Owner {
  self ??= `${process.pid}.${startOf(process.pid) ?? '0'}.${world()}`;
  return self;
}

/** Who runs this process, as the system names them: by number where they have no name. */
export function userName(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Whether the process so named still lives, whatever follows its name. It cannot be told of another container's. */
export function lifeOf(owner: Owner): Life {
  const [, pid, started, where] = /^(\d{1,15})\.(\d+)\.(\d+)(?:[.-]|$)/.exec(owner) ?? [];
  if (pid === undefined || started === undefined || where !== world()) return 'unknown';
  if (started === '0') return answers(Number(pid)) ? 'alive' : 'dead';
  return hasEnded(Number(pid), started) ? 'dead' : 'alive';
}

/** When a process was started, in ticks since the machine was; null where there is no such process. */
export function startOf(pid: number): string | null {
  return statFieldsOf(pid)?.[19] ?? null;
}

/** Whether it has ended, be it that nobody has asked how yet. */
export function hasEnded(pid: number, started: string): boolean {
  const fields = statFieldsOf(pid);
  return fields === null || fields[19] !== started || /^[ZXx]$/.test(fields[0] ?? '');
}

/** What the kernel tells of a process behind the name of its program, which may hold blanks and brackets itself. */
export function statFieldsOf(pid: number): readonly string[] | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

let ownWorld: string | undefined;

function world(): string {
  if (ownWorld !== undefined) return ownWorld;
  try {
    ownWorld = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '') || '0';
  } catch {
    ownWorld = '0';
  }
  return ownWorld;
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return reasonOf(error) !== 'ESRCH';
  }
}
