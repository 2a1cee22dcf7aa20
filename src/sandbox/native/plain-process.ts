import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { treeMemory } from '../linux/tree-memory.ts';
import type { Running } from '../supervise.ts';

export interface PlainProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: 'pipe' | 'none';
}

const numbers = constants.signals as Readonly<Record<string, number>>;

/** A process in a group of its own, which is killed as a whole. What leaves the group is not held by anything. */
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
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // nobody is left in it
    }
  };
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
