import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The processor time that this process spends on something, in seconds. However busy a machine is, that hardly changes, so
 * that it can be held against a bound; with an order of magnitude to spare, since machines differ.
 */
export async function processorSeconds(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** What another process has spent since its start, where the system tells. */
export function processorSecondsOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) / 100;
}

/** The environment of a program that says at its end what it has spent. */
export const tellsProcessorTime = {
  NODE_OPTIONS: `--require=${fileURLToPath(new URL('tell-processor-time.cjs', import.meta.url))}`,
};

/** What such a program has said. */
export function processorSecondsIn(stderr: string): number {
  return Number(/^spent (\S+) s$/m.exec(stderr)?.[1]);
}
