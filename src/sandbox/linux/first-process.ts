import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { hasEnded } from '../../kernel/owner.ts';

/** The first process inside: with it ends everything in there. */
export interface FirstProcess {
  readonly pid: number;
  readonly started: string;
}

const askFirstMs = 50;
const launcherMs = 1000;

/**
 * Ends the first process inside, and so all others; the launcher that watches it then ends by itself, after them. The
 * launcher is killed only where that does not help.
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

/** Where the launcher was killed before the rest: for as long as the kernel takes. */
export async function untilEnded(first: FirstProcess | null): Promise<void> {
  if (first === null) return;
  for (let wait = 1; wait < 4000 && !hasEnded(first.pid, first.started); wait *= 2) await pause(wait);
}
