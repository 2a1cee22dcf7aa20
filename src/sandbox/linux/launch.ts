import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Duplex, Readable, type Writable } from 'node:stream';
import { reasonOf, SkillError } from '../../kernel/errors.ts';
import { startOf } from '../../kernel/owner.ts';
import { hasCutFileIn } from '../cut-files.ts';
import type { SurvivedLimit } from '../ending.ts';
import type { RunEnd } from '../supervise.ts';
import type { Enforcement } from '../types.ts';
import { type Cgroup, createCgroup, wakeCgroups } from './cgroup.ts';
import { textOf, watchStatus } from './channels.ts';
import { enforcementOf } from './enforcement.ts';
import { type FirstProcess, killTree, untilEnded } from './first-process.ts';
import { environmentLine, limitInside, ownProcesses } from './gate.ts';
import type { Machine } from './machine.ts';
import { turnedPath } from './mounted.ts';
import type { LaunchPlan } from './plan.ts';
import { watchScratch } from './scratch-watch.ts';
import { type Started, startLauncher } from './start.ts';
import { isOfOtherRun, type RunUser, takeUser } from './users.ts';
import { watchTree } from './watch-tree.ts';

/** A process tree in its sandbox. */
export interface Launched {
  /** Null where none was asked for. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Ends the whole tree. */
  kill(): void;
  /** Settles when no process of it is left. Never rejects. */
  readonly ended: Promise<RunEnd>;
  readonly enforcement: readonly Enforcement[];
  /** Processor time of the whole tree so far; null where it is not counted. */
  cpuSeconds(): number | null;
  /** What the whole tree holds of memory; null where it is gone. */
  memoryBytes(): number | null;
  /** Whether the tree holds more memory than it may; there only where no control group sees to that. */
  exceedsMemory?(): boolean;
  /** How many files are in its scratch folder. */
  scratchFiles(): number;
  /** Limits that it has met with so far. */
  reached(): readonly SurvivedLimit[];
  /** To a program of ours that was told to wait; null to any other. */
  readonly channel: Duplex | null;
  /** Whether this process may end while the tree has not. */
  keepAlive(whether: 'yes' | 'no'): void;
}

/** Longer than any set-up takes on a machine that is merely busy. */
const setUpMs = 20_000;

/** What a run holds of the host while it lasts. */
interface Held {
  user: RunUser | null;
  group: Cgroup | null;
}

/**
 * Starts a program in a sandbox of its own. Comes back when it was started, or when the sandbox failed, which `ended`
 * then says. Rejects only where nothing was started and nothing is left.
 */
export async function launch(machine: Machine, plan: LaunchPlan): Promise<Launched> {
  const environment = plan.told ?? environmentLine(plan.env);
  if (environment === null) {
    throw new SkillError('unavailable', 'an environment variable has a name or a value that a shell cannot set');
  }
  const held: Held = { user: null, group: null };
  try {
    wakeCgroups(machine.cgroups);
    held.user = userFor(machine);
    held.group = groupFor(machine, plan);
    const started = await startLauncher(machine, plan, held.user?.id ?? null);
    const prepare = (pid: number) => limitProcesses(machine, plan, pid);
    return await goOn(started, held, environment, { plan, enforcement: enforcementOf(machine, plan), prepare });
  } catch (error) {
    await release(held);
    if (error instanceof SkillError) throw error;
    throw new SkillError('unavailable', `the sandbox cannot be set up (${reasonOf(error)})`, { cause: error });
  }
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

interface Terms {
  readonly plan: LaunchPlan;
  readonly enforcement: readonly Enforcement[];
  /** What is left to be done when the first process is there, and waits. */
  prepare(pid: number): Promise<void>;
}

/** From the launcher that was started to the program that runs. */
async function goOn(started: Started, held: Held, environment: string, terms: Terms): Promise<Launched> {
  const { child, go, exited, stdin, stdout, stderr } = started;
  const status = watchStatus(started.status);
  const inside = status.child.then((pid) => joined(pid, held.group, terms));
  inside.catch(() => undefined); // asked for below
  const kill = () => void killTree(child, inside);

  const timer = setTimeout(kill, setUpMs);
  terms.plan.signal?.addEventListener('abort', kill, { once: true });
  const isReady = await status.ready;
  const problem = isReady ? await inside.then((first) => problemInside(first, terms.plan), reasonOf) : null;
  clearTimeout(timer);
  terms.plan.signal?.removeEventListener('abort', kill);

  const setUp = isReady && problem === null;
  const first = setUp ? await inside : null;
  const scratch = first === null ? null : watchScratch(first.pid, terms.plan.limits);
  const watched =
    held.group === null && first !== null
      ? watchTree(first.pid, terms.plan.limits, ownProcesses(terms.plan), scratch)
      : null;
  const meter = held.group ?? watched;
  const reached = (): SurvivedLimit[] => [
    ...(meter?.refusedProcess() ? ['processes' as const] : []),
    ...(scratch?.isFull() ? ['scratchBytes' as const] : []),
  ];
  const own = { sinceMs: Date.now(), isOther: (user: number) => isOfOtherRun(user, held.user) };
  if (setUp) go.end(environment);
  else {
    go.destroy();
    kill();
  }
  const complaint = setUp ? '' : textOf(stderr);
  const ended = (async (): Promise<RunEnd> => {
    const { code, signal } = await exited;
    await status.gone;
    await untilEnded(await inside.catch(() => null));
    const memoryExceeded = (held.group?.memoryKills() ?? 0) > 0;
    const isCut = scratch?.hasCutFile() || hasCutFileIn(terms.plan.exact ?? [], terms.plan.limits, own);
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
    enforcement: terms.enforcement,
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

/** Puts the first process into its group before it goes on. */
async function joined(pid: number | null, group: Cgroup | null, terms: Terms): Promise<FirstProcess | null> {
  const started = pid === null ? null : startOf(pid);
  if (pid === null || started === null) return null;
  await Promise.all([group?.add(pid), terms.prepare(pid)]);
  return { pid, started };
}

/** Where nothing inside can do this by itself, and it could not be done before. */
async function limitProcesses(machine: Machine, plan: LaunchPlan, pid: number): Promise<void> {
  const limit = plan.told === undefined ? [] : limitInside(machine, plan);
  if (limit.length === 0) return;
  const child = spawn(machine.prlimit, ['--pid', String(pid), ...limit], { env: {}, stdio: 'ignore' });
  const code = await new Promise((settle, fail) => void child.once('exit', settle).once('error', fail));
  if (code !== 0) throw new Error('the number of processes cannot be limited');
}

function problemInside(first: FirstProcess | null, { exact = [] }: LaunchPlan): string | null {
  return first === null ? 'it ended immediately' : turnedPath(first.pid, exact);
}
