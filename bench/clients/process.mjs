import { readdirSync, readFileSync } from 'node:fs';

const milli = 1e6;
const mega = 1e6;

/**
 * What a running process has cost so far, all its threads together, as the kernel counts it: in nanoseconds of
 * running. Threads that have ended are not in it; those of a server live as long as it does.
 *
 * @param {number} pid
 */
export function cpuMsOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, one) => sum + one, 0) / milli;
}

/**
 * What a running process holds in memory, the pages that it shares with others included.
 *
 * @param {number} pid
 */
export function residentMbOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / mega;
}
