import { answers } from './disk/owner.ts';

/** A child process that leads a group of its own: started with `detached`. */
export interface GroupLeader {
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  kill(signal: 'SIGKILL'): boolean;
}

/**
 * Ends a process and everything in its group, whether it is still there itself or not. Windows, which has no groups,
 * ends the process alone.
 */
export function endGroup(leader: GroupLeader): void {
  const { pid, exitCode, signalCode } = leader;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    leader.kill('SIGKILL');
    return;
  }
  // A number is not given away while a group bears it: if a process has it again, the group is gone, and this is a
  // stranger's.
  const hasExited = exitCode !== null || signalCode !== null;
  if (hasExited && answers(pid)) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // There is nothing left to end.
  }
}
