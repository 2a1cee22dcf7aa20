import { readdirSync, readFileSync } from 'node:fs';
import { launcherMark } from './arguments.ts';
import { isOrphaned } from './owner.ts';

/**
 * Ends launchers whose owners are no more. They end by themselves when their owner dies, but for one moment in their
 * set-up in which they then wait for ever, with nothing of the run started.
 */
export function killLeftBehind(): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !isLeftBehind(name)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // it is somebody else's, or has ended
    }
  }
}

function isLeftBehind(pid: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    if (!words[0]?.endsWith('/bwrap')) return false;
    const mark = words.find((word) => word.startsWith(launcherMark));
    return mark !== undefined && isOrphaned(mark.slice(launcherMark.length));
  } catch {
    return false;
  }
}
