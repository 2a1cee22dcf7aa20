import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { identities } from '../sandbox/identities.ts';
import { createPlace, execute } from './server.ts';

const mebibyte = 1_048_576;

/** The most memory that a process has ever had, in bytes. */
function peakOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kilobytes) * 1024;
}

/** What is called, and which of the streams are full then. */
const floods: readonly (readonly [skill: string, tool: string, ...streams: ('stdout' | 'stderr')[]])[] = [
  ['flood', 'stdout', 'stdout'],
  ['flood', 'stderr', 'stderr'],
  ['flood', 'line', 'stdout'],
  ['flood', 'both'],
  ['flood-stdout', 'run', 'stdout'],
  ['flood-stderr', 'run', 'stderr'],
];

describe.each(identities)('a flood of output, as %s', (identity) => {
  it('is cut off where it may no more, and costs the server little [C4-LIMIT-08 C4-LIMIT-10]', async () => {
    const place = await createPlace(identity, '');
    const server = await place.serve();
    const { pid = 0 } = server.child;
    await execute(server, 'first', 'echo', { id: 'a', text: 'b', stdin: 'c', code: 0 });
    const before = peakOf(pid);
    for (const [skill, tool, ...streams] of floods) {
      const result = await execute(server, skill, tool, {});
      expect(result, `${skill}:${tool}`).toMatchObject({ exit_reason: 'output_limit' });
      for (const stream of streams) expect(result[stream]).toHaveLength(mebibyte);
    }
    // On top of what a server has anyway: nothing of what was thrown away, and not much of what was kept.
    expect(peakOf(pid) - before).toBeLessThan(100 * mebibyte);
  });
});
