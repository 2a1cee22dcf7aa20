import { execFile, spawn } from 'node:child_process';
import { constants, tmpdir } from 'node:os';
import { discard } from '../../../core/disk/replace.ts';
import { reasonOf } from '../../../core/errors.ts';
import { endGroup } from '../../../core/process-group.ts';
import type { Limits } from '../../policy/types.ts';
import { engineError } from '../ending.ts';
import { orphansIn } from '../linux/owner.ts';
import { treeMemory } from '../linux/tree.ts';
import { type Running, supervise } from '../supervise.ts';
import type { Enforcement, Outcome, SandboxRuntime } from '../types.ts';
import { type RealRun, realRunOf, scratchPrefix } from './place-program.ts';

interface PlainProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: 'pipe' | 'none';
}

const numbers = constants.signals as Readonly<Record<string, number>>;

/** Starts a process in a group of its own, which is killed as a whole. Nothing holds processes that leave the group. */
export function startPlain({
  program,
  args,
  env,
  cwd,
  stdin,
}: PlainProcess): Running & { readonly pid: number | undefined } {
  const child = spawn(program, args, {
    env,
    cwd,
    detached: true,
    stdio: [stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  const kill = () => endGroup(child);
  const ended = new Promise<Awaited<Running['ended']>>((settle) => {
    const common = { signal: null, memoryExceeded: false };
    child.once('error', (error) => settle({ ...common, exitCode: null, setUp: false, launcherError: error.message }));
    child.once('exit', (code, signal) => {
      kill();
      settle({ ...common, exitCode: code ?? 128 + (numbers[signal ?? ''] ?? 0), setUp: true, launcherError: '' });
    });
  });
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout as never,
    stderr: child.stderr as never,
    kill,
    ended,
    memoryBytes: () => treeMemory(child.pid),
  };
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly bytes: number;
}

const everyMs = 250;

interface TreeWatch {
  /** Bytes that all of them held when last seen; null before that. */
  memoryBytes(): number | null;
  end(): void;
}

/** Watches a process tree where the system has no limit for one. It may exceed a limit briefly, and is then killed. */
export function watchTree(root: number, limits: Limits, exceeded: (what: 'memory' | 'processes') => void): TreeWatch {
  let memoryBytes: number | null = null;
  const timer = setInterval(() => {
    execFile('ps', ['-axo', 'pid=,ppid=,pgid=,rss='], { env: { PATH: '/bin:/usr/bin' } }, (error, text) => {
      if (error !== null) return;
      const tree = treeOf(root, readRows(text));
      memoryBytes = tree.reduce((sum, { bytes }) => sum + bytes, 0);
      if (memoryBytes > limits.memoryBytes) exceeded('memory');
      else if (tree.length > limits.processes) exceeded('processes');
    });
  }, everyMs);
  return { memoryBytes: () => memoryBytes, end: () => clearInterval(timer) };
}

export function readRows(text: string): readonly Row[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, kilobytes] = line.trim().split(/\s+/).map(Number);
    if (!pid || parent === undefined || group === undefined || kilobytes === undefined) return [];
    return [{ pid, parent, group, bytes: kilobytes * 1024 }];
  });
}

/** All descendants of a process, and all that are still in its group. */
export function treeOf(root: number, rows: readonly Row[]): readonly Row[] {
  const found = new Set(rows.filter(({ pid, group }) => pid === root || group === root).map(({ pid }) => pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid);
  }
  return rows.filter(({ pid }) => found.has(pid));
}

const nothing = 'nothing: it runs without a sandbox';

const enforcement: readonly Enforcement[] = [
  ...(['files', 'network', 'processes', 'memory', 'cpu', 'scratch', 'user'] as const).map((what) => ({
    what,
    by: nothing,
  })),
  { what: 'time', by: 'timer, SIGKILL of the process group' },
  { what: 'output', by: 'bytes counted, SIGKILL of the process group' },
];

/** Runs commands without any sandbox, for users who requested exactly that. Only time and output are limited. */
export function createUnsafeRuntime(): SandboxRuntime {
  return {
    name: 'native',
    // A tool without a sandbox may well keep files beside itself.
    runsInPlace: true,
    seesSkillAt: (folder) => folder,
    readiness: () => Promise.resolve({ ready: true, enforcement }),
    run: async (spec, watcher) => {
      const began = performance.now();
      const failed = (why: string): Outcome => {
        return { ...engineError(why, performance.now() - began), enforcement, denials: [] };
      };
      let real: RealRun | null = null;
      try {
        real = realRunOf(spec);
        if (real === null) return failed(`this runtime runs commands, not a ${spec.task.kind}`);
        const running = startPlain({ ...real, stdin: spec.stdin === null ? 'none' : 'pipe' });
        const ending = await supervise(running, { stdin: spec.stdin, limits: spec.limits, watcher, began });
        return { ...ending, enforcement, denials: [] };
      } catch (error) {
        return failed(reasonOf(error));
      } finally {
        real?.remove();
      }
    },
    sweep: async () => {
      for (const orphan of orphansIn(tmpdir(), scratchPrefix)) discard(orphan);
    },
    close: () => Promise.resolve(),
  };
}
