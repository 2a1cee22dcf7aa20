import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Limits } from '../policy/types.ts';
import { createComplaints, type RunEnd, type Running, supervise } from './supervise.ts';
import type { Usage, Watcher } from './types.ts';

const limits: Limits = {
  timeoutMs: 20_000,
  memoryBytes: 1e9,
  processes: 10,
  outputBytes: 1000,
  scratchBytes: 1e6,
  fileBytes: 1e6,
  cpuSeconds: 10,
};

const done: RunEnd = { exitCode: 0, signal: null, setUp: true, launcherError: '', memoryExceeded: false };

/** A run that writes a text, reports these figures one after the other, and ends when all were seen. */
function running(text: string, memory: readonly (number | null)[], cpu: readonly number[]): Running {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stdout.write(text);
  const [bytes, seconds] = [[...memory], [...cpu]];
  let end: (end: RunEnd) => void = () => undefined;
  const ended = new Promise<RunEnd>((settle) => {
    end = settle;
  });
  const finish = (): void => {
    for (const stream of [stdout, stderr]) stream.end();
    end(done);
  };
  if (memory.length === 0) setTimeout(finish, 50);
  return {
    stdin: null,
    stdout,
    stderr,
    kill: () => undefined,
    ended,
    memoryBytes: () => {
      if (bytes.length === 1) setTimeout(finish);
      return bytes.shift() ?? null;
    },
    cpuSeconds: () => seconds.shift() ?? 0,
  };
}

function watch(one: Running, more: Partial<Watcher> = {}): Promise<unknown> {
  const watcher = { onOutput: () => undefined, signal: new AbortController().signal, ...more };
  return supervise(one, { stdin: null, limits, watcher, began: performance.now() });
}

describe('the resource usage of a run', () => {
  it('is reported while it lasts and at its end, with the most that was seen', async () => {
    const reported: Usage[] = [];
    const one = running('hello', [null, 10, 30, 20], [1, 2, 3]);
    await watch(one, { onUsage: (usage) => void reported.push(usage) });
    expect(reported[0]).toMatchObject({ memoryBytes: null, peakMemoryBytes: null, cpuSeconds: 1, outputBytes: 0 });
    // A run that has just ended reports nothing any more; its last known figures stay.
    expect(reported.at(-1)).toMatchObject({ memoryBytes: 20, peakMemoryBytes: 30, cpuSeconds: 3, outputBytes: 5 });
    const before = reported.length;
    await new Promise((settle) => setTimeout(settle, 250));
    expect(reported).toHaveLength(before);
  });

  it('is not measured without a listener', async () => {
    const one = running('hello', [], []);
    const looks = vi.spyOn(one as Required<Running>, 'memoryBytes');
    await watch(one);
    expect(looks).not.toHaveBeenCalled();
  });

  it('counts no output beyond the limit', async () => {
    const reported: Usage[] = [];
    await watch(running('x'.repeat(1500), [], []), { onUsage: (usage) => void reported.push(usage) });
    expect(reported.at(-1)?.outputBytes).toBe(limits.outputBytes);
  });
});

function limitsIn(...pieces: readonly string[]): readonly string[] {
  const complaints = createComplaints();
  for (const piece of pieces) complaints.add(Buffer.from(piece));
  return complaints.limits();
}

it.each([
  ['memoryBytes', 'sh: 1: Cannot allocate memory\n'],
  ['memoryBytes', 'Out of memory!\n'],
  ['memoryBytes', 'Traceback (most recent call last):\nMemoryError\n'],
  ['memoryBytes', "terminate called after throwing an instance of 'std::bad_alloc'\n"],
  ['memoryBytes', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n'],
  ['processes', 'sh: 1: Cannot fork\n'],
  ['processes', 'bash: fork: retry: Resource temporarily unavailable\n'],
  ['processes', "RuntimeError: can't start new thread\n"],
])('the limit %s is found in what a program prints: %j', (limit, text) => {
  expect(limitsIn(text)).toEqual([limit]);
  expect(limitsIn(text.slice(0, 9), text.slice(9))).toEqual([limit]);
});

it.each(['read: Resource temporarily unavailable\n', 'No such file or directory\n', 'memory: 64 MB\n'])(
  'no limit is found in %j',
  (text) => {
    expect(limitsIn(text)).toEqual([]);
  },
);
