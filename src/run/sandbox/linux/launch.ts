import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { attempt } from '../../../core/attempt.ts';
import { hasEnded, startOf } from '../../../core/disk/owner.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { durationInWords } from '../../../core/text/quantities.ts';
import type { SurvivedLimit } from '../ending.ts';
import type { Waiting } from '../pool.ts';
import type { RunEnd, Running } from '../supervise.ts';
import type { Enforcement } from '../types.ts';
import { commandFor } from './arguments.ts';
import { type Cgroup, createCgroup, wakeCgroups } from './cgroup.ts';
import { descriptors, environmentLine, limitInside, ownProcesses, type Status, textOf, watchStatus } from './gate.ts';
import type { Machine } from './machine.ts';
import type { Direction, RunPipe } from './pipes.ts';
import { enforcementOf, isOfOtherRun, type LaunchPlan, type RunUser, takeUser } from './plan.ts';
import { hasCutFileIn, watchScratch } from './scratch-watch.ts';
import { privateFolder, turnedPath } from './system-view.ts';
import { watchTree } from './tree.ts';

/** Parts of a run that a sandbox on Linux always counts. */
type Counted = 'cpuSeconds' | 'memoryBytes' | 'scratchFiles' | 'reached';

/** A process tree in its sandbox. */
export interface Launched extends Omit<Running, Counted>, Required<Pick<Running, Counted>> {
  readonly enforcement: readonly Enforcement[];
  /** The channel to a program of ours that waits for orders; null for any other. */
  readonly channel: Duplex | null;
  /** Sets whether this process stays alive until the tree has ended. */
  keepAlive(whether: 'yes' | 'no'): void;
}

/** Milliseconds for the set-up: longer than it takes on a machine that is merely busy, with dozens of them at once. */
const setUpMs = 60_000;

/** Kills a sandbox that does not get ready in time. */
function setUpDeadline(kill: () => void): { readonly isOver: boolean; clear(): void } {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    kill();
  }, setUpMs).unref();
  return {
    get isOver() {
      return isOver;
    },
    clear: () => clearTimeout(timer),
  };
}

/** Resources of the host that a run holds while it lasts. */
interface Held {
  user: RunUser | null;
  group: Cgroup | null;
}

/**
 * Starts a program in a sandbox of its own. Resolves when it was started, or when the sandbox failed, which `ended`
 * then reports. Rejects only if nothing was started and nothing is left.
 */
export async function launch(machine: Machine, plan: LaunchPlan): Promise<Launched> {
  const line = plan.startLine ?? lineOf(environmentLine(plan.env));
  return goOn(await begin(machine, plan), plan, line);
}

/** A sandbox that is being set up or waits: nothing of a run is in it yet, neither its program nor its environment. */
export interface Ahead extends Waiting {
  /** Whether it still shows the files that it is meant to show. */
  isRight(): Promise<boolean>;
  /** Runs a program in it. The plan is the one it was set up for, except for the program and its environment. */
  run(plan: LaunchPlan): Promise<Launched>;
}

/** Sets up a sandbox ahead of its run, which supplies the program. */
export async function launchAhead(machine: Machine, plan: LaunchPlan): Promise<Ahead> {
  const begun = await begin(machine, { ...plan, argv: [], env: {} });
  const { started, status, inside, kill } = begun;
  const ended = goneOf(begun);
  // A sandbox that never gets ready would keep its run waiting.
  const deadline = setUpDeadline(kill);
  status.ready.finally(() => deadline.clear()).catch(() => undefined);
  return {
    ready: status.ready,
    ended,
    end: async () => {
      kill();
      await ended;
      await release(begun.held);
    },
    keepAlive: (whether) => keepAlive(started, whether),
    isRight: async () =>
      (await status.ready) && !deadline.isOver && problemInside(await inside.catch(() => null), plan) === null,
    run: (now) => goOn(begun, now, lineOf(environmentLine(now.env, now.argv))),
  };
}

function lineOf(line: string | null): string {
  if (line !== null) return line;
  throw new SkillError('unavailable', 'an environment variable has a name or a value that a shell cannot set');
}

/** A launcher that was started, and the resources it holds. */
interface Begun {
  readonly started: Started;
  readonly held: Held;
  readonly status: Status;
  /** Settles when the first process is in its control group. */
  readonly inside: Promise<FirstProcess | null>;
  readonly enforcement: readonly Enforcement[];
  readonly kill: () => void;
}

async function begin(machine: Machine, plan: LaunchPlan): Promise<Begun> {
  const held: Held = { user: null, group: null };
  try {
    wakeCgroups(machine.cgroups);
    held.user = userFor(machine);
    held.group = groupFor(machine, plan);
    const started = await startLauncher(machine, plan, held.user?.id ?? null);
    const status = watchStatus(started.status);
    const inside = status.child.then((pid) => joined(pid, held.group, (first) => limitProcesses(machine, plan, first)));
    inside.catch(() => undefined); // awaited later
    const kill = () => void killTree(started.child, inside);
    return { started, held, status, inside, enforcement: enforcementOf(machine, plan), kill };
  } catch (error) {
    await release(held);
    if (error instanceof SkillError) throw error;
    throw new SkillError('unavailable', `the sandbox cannot be set up (${reasonOf(error)})`, { cause: error });
  }
}

/** Settles when no process of the tree is left. */
async function goneOf({ started, status, inside }: Begun): Promise<Exit> {
  const exit = await started.exited;
  await status.gone;
  await untilEnded(await inside.catch(() => null));
  return exit;
}

function userFor(machine: Machine): RunUser | null {
  if (!machine.isRoot) return null;
  const user = takeUser();
  if (user !== null) return user;
  throw new SkillError('busy', 'too many runs are in progress in this process', { hint: 'Try again in a moment.' });
}

function groupFor({ cgroups }: Machine, plan: LaunchPlan): Cgroup | null {
  return cgroups === null ? null : createCgroup(cgroups, plan.id, plan.limits, ownProcesses(plan));
}

async function release(held: Held): Promise<void> {
  await held.group?.remove();
  held.user?.release();
}

/** Continues from a launcher that was started to a program that runs. */
async function goOn(begun: Begun, plan: LaunchPlan, line: string): Promise<Launched> {
  const { started, held, status, inside, kill } = begun;
  const { go, stdin, stdout, stderr } = started;
  const deadline = setUpDeadline(kill);
  plan.signal?.addEventListener('abort', kill, { once: true });
  const isReady = await status.ready;
  const found = isReady ? await inside.then((first) => problemInside(first, plan), reasonOf) : null;
  deadline.clear();
  // One that got ready while it was being killed would be taken for a program that somebody else has killed.
  const problem = deadline.isOver ? `it was not ready after ${durationInWords(setUpMs)}` : found;
  plan.signal?.removeEventListener('abort', kill);

  const setUp = isReady && problem === null;
  const first = setUp ? await inside : null;
  const scratch = first === null ? null : watchScratch(first.pid, plan.limits);
  const watched =
    held.group === null && first !== null ? watchTree(first.pid, plan.limits, ownProcesses(plan), scratch) : null;
  const meter = held.group ?? watched;
  const reached = (): SurvivedLimit[] => [
    ...(meter?.refusedProcess() ? ['processes' as const] : []),
    ...(scratch?.isFull() ? ['scratchBytes' as const] : []),
  ];
  const own = { sinceMs: Date.now(), isOther: (user: number) => isOfOtherRun(user, held.user) };
  if (setUp) go.end(line);
  else {
    go.destroy();
    kill();
  }
  const complaint = setUp ? '' : textOf(stderr);
  const ended = (async (): Promise<RunEnd> => {
    const { code, signal } = await goneOf(begun);
    const memoryExceeded = (held.group?.memoryKills() ?? 0) > 0;
    const isCut = scratch?.hasCutFile() || hasCutFileIn(plan.exact ?? [], plan.limits, own);
    const met = [...reached(), ...(isCut ? ['fileBytes' as const] : [])];
    scratch?.close();
    await release(held);
    const launcherError = problem ?? (await complaint);
    const exitCode = status.exitCode() === null ? null : code;
    return { exitCode, signal, setUp, launcherError, memoryExceeded, reached: met };
  })();
  return {
    ...{ stdin, stdout, kill, ended },
    stderr: setUp ? stderr : Readable.from([]),
    enforcement: begun.enforcement,
    cpuSeconds: () => meter?.cpuSeconds() ?? null,
    memoryBytes: () => meter?.memoryBytes() ?? null,
    ...(watched !== null && { exceedsMemory: () => watched.exceedsMemory() }),
    scratchFiles: () => scratch?.files() ?? 0,
    reached,
    channel: started.channel,
    keepAlive: (whether) => keepAlive(started, whether),
  };
}

function keepAlive({ child, channel, stdin, stdout, stderr, status, go }: Started, whether: 'yes' | 'no'): void {
  const call = whether === 'yes' ? 'ref' : 'unref';
  for (const one of [child, channel, stdin, stdout, stderr, status, go]) (one as Socket | null)?.[call]();
}

/** Adds the first process to its group before it goes on. */
async function joined(
  pid: number | null,
  group: Cgroup | null,
  prepare: (pid: number) => Promise<void>,
): Promise<FirstProcess | null> {
  const started = pid === null ? null : startOf(pid);
  if (pid === null || started === null) return null;
  await Promise.all([group?.add(pid), prepare(pid)]);
  return { pid, started };
}

/** Limits the processes of a program that cannot do so itself, once it is inside: the limit could not be set before. */
async function limitProcesses(machine: Machine, plan: LaunchPlan, pid: number): Promise<void> {
  const limit = plan.startLine === undefined ? [] : limitInside(machine, plan);
  if (limit.length === 0) return;
  const child = spawn(machine.prlimit, ['--pid', String(pid), ...limit], { env: {}, stdio: 'ignore' });
  const code = await new Promise((settle, fail) => void child.once('exit', settle).once('error', fail));
  if (code !== 0) throw new Error('the number of processes cannot be limited');
}

function problemInside(first: FirstProcess | null, { exact = [], guards = [] }: LaunchPlan): string | null {
  return first === null ? 'it ended immediately' : turnedPath(first.pid, [...exact, ...guards]);
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The launcher, started and given its instructions. */
interface Started {
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

async function startLauncher(machine: Machine, plan: LaunchPlan, user: number | null): Promise<Started> {
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
interface FirstProcess {
  readonly pid: number;
  readonly started: string;
}

const askFirstMs = 50;
const launcherMs = 1000;

/**
 * Kills the first process inside, and so all others; the launcher that watches it then ends by itself, after them. The
 * launcher is killed only if that does not help.
 */
async function killTree(child: ChildProcess, inside: Promise<FirstProcess | null>): Promise<void> {
  const first = await Promise.race([inside.catch(() => null), pause(askFirstMs, null, { ref: false })]);
  const wasKilled = first !== null && killFirst(first);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), wasKilled ? launcherMs : 0);
  child.once('exit', () => clearTimeout(timer));
}

function killFirst({ pid, started }: FirstProcess): boolean {
  if (hasEnded(pid, started)) return false;
  return attempt(() => process.kill(pid, 'SIGKILL'), false);
}

/** Waits until the first process has ended, for as long as the kernel takes, if the launcher was killed before it. */
async function untilEnded(first: FirstProcess | null): Promise<void> {
  if (first === null) return;
  for (let wait = 1; wait < 4000 && !hasEnded(first.pid, first.started); wait *= 2) await pause(wait);
}
