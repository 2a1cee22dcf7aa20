import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { hasEnded } from '../../../core/disk/owner.ts';
import { commandFor } from './arguments.ts';
import { descriptors } from './gate.ts';
import type { Machine } from './machine.ts';
import type { Direction, RunPipe } from './pipes.ts';
import type { LaunchPlan } from './plan.ts';
import { privateFolder } from './system-view.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The launcher, started and given its instructions. */
export interface Started {
  readonly child: ChildProcess;
  readonly status: Socket;
  readonly go: Socket;
  readonly exited: Promise<Exit>;
  readonly stdin: Socket | null;
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** The channel to a program of ours that waits; null for any other. */
  readonly channel: Duplex | null;
}

export async function startLauncher(machine: Machine, plan: LaunchPlan, user: number | null): Promise<Started> {
  const taken: RunPipe[] = [];
  const opened: number[] = [];
  const take = async (direction: Direction) => {
    const pipe = await machine.pipes.take(direction);
    pipe.ours.on('error', () => undefined); // reported by how the launcher ended
    taken.push(pipe);
    opened.push(pipe.theirs);
    return pipe;
  };
  try {
    const stdin = plan.stdin === 'pipe' ? await take('run') : null;
    const stdout = await take('us');
    const stderr = await take('us');
    const status = await take('us, lasting');
    const go = await take('run');
    const input = typeof plan.stdin === 'string' ? null : inputFile(machine, plan.stdin);
    if (input !== null) opened.push(input);
    const filter = openFilter(machine);
    opened.push(...filter);
    const command = commandFor(machine, plan, user);
    const child = spawn(command.program, command.args, {
      // Our own environment is not passed: the launcher that holds the run would keep it for the run to read.
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      ...(command.user === null ? {} : { uid: command.user, gid: command.user }),
      stdio: withoutStrays([
        ...[stdin?.theirs ?? input ?? ('ignore' as const), stdout.theirs, stderr.theirs],
        ...[status.theirs, status.theirs, go.theirs],
        ...(plan.startLine === undefined ? [] : ['pipe' as const]),
        ...filter,
      ]),
    });
    const exited = exitOf(child);
    if (child.pid === undefined) throw await new Promise<Error>((settle) => child.once('error', settle));
    const own = { stdin: stdin?.ours ?? null, stdout: stdout.ours, stderr: stderr.ours };
    const channel = ((child.stdio as readonly unknown[])[descriptors.channel] ?? null) as Duplex | null;
    channel?.on('error', () => undefined);
    return { child, exited, status: status.ours, go: go.ours, channel, ...own };
  } catch (error) {
    for (const { ours } of taken) ours.destroy();
    throw error;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Opens the seccomp filter, once per launcher, which reads it from beginning to end. */
function openFilter({ callFilter }: Machine): readonly number[] {
  return callFilter === null ? [] : [openSync(callFilter, 'r')];
}

let inputs = 0;

/** Writes input to a file that has no name by the time it is read, and returns its descriptor. */
function inputFile(machine: Machine, bytes: Uint8Array): number {
  const path = join(privateFolder(machine.runtimeFolder), `input-${inputs++}`);
  try {
    writeFileSync(path, bytes);
    chmodSync(path, 0o444);
    return openSync(path, 'r');
  } finally {
    rmSync(path, { force: true });
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((settle) => child.once('exit', (code, signal) => settle({ code, signal })));
}

const closedOnStart = 0o2000000;

/** Descriptors that our parent left open and our children would inherit. Node takes care of the first few only. */
function strayDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosedOnStart(descriptor));
}

function isClosedOnStart(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & closedOnStart) !== 0;
  } catch {
    return true; // the descriptor that listed them
  }
}

let strays: readonly number[] | null = null;
let nothing: number | null = null;

type Stdio = Exclude<StdioOptions, string>;

/** Puts the null device in the place of each stray descriptor, since a place cannot be left empty. */
function withoutStrays(wanted: Stdio): Stdio {
  strays ??= strayDescriptors();
  const others = strays.filter((descriptor) => descriptor >= wanted.length);
  if (others.length === 0) return wanted;
  nothing ??= openSync('/dev/null', 'r');
  const stdio: Stdio = [...wanted];
  const length = Math.max(...others) + 1;
  while (stdio.length < length) stdio.push('ignore');
  for (const descriptor of others) stdio[descriptor] = nothing;
  return stdio;
}

/** The first process inside: when it ends, everything in there ends. */
export interface FirstProcess {
  readonly pid: number;
  readonly started: string;
}

const askFirstMs = 50;
const launcherMs = 1000;

/**
 * Kills the first process inside, and so all others; the launcher that watches it then ends by itself, after them. The
 * launcher is killed only if that does not help.
 */
export async function killTree(child: ChildProcess, inside: Promise<FirstProcess | null>): Promise<void> {
  const first = await Promise.race([inside.catch(() => null), pause(askFirstMs, null, { ref: false })]);
  const wasKilled = first !== null && killFirst(first);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), wasKilled ? launcherMs : 0);
  child.once('exit', () => clearTimeout(timer));
}

function killFirst({ pid, started }: FirstProcess): boolean {
  if (hasEnded(pid, started)) return false;
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Waits until the first process has ended, for as long as the kernel takes, if the launcher was killed before it. */
export async function untilEnded(first: FirstProcess | null): Promise<void> {
  if (first === null) return;
  for (let wait = 1; wait < 4000 && !hasEnded(first.pid, first.started); wait *= 2) await pause(wait);
}
