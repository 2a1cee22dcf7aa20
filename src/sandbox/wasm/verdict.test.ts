import { describe, expect, it } from 'vitest';
import { verdictOf } from './verdict.ts';

const limits = {
  ...{ timeoutMs: 1000, memoryBytes: 1000, processes: 1, outputBytes: 1 },
  ...{ scratchBytes: 1, fileBytes: 1, cpuSeconds: 1 },
};
const exited = { reason: 'exited', exitCode: 0, signal: null, message: null, durationMs: 5 } as const;

describe('how a run ended', () => {
  it.each([
    ['its own code', { kind: 'exited', code: 300 }, exited, { reason: 'exited', exitCode: 300, message: null }],
    ['a trap', { kind: 'trap', message: 'x', memoryBytes: 10 }, exited, { reason: 'exited', exitCode: 134 }],
    ['a trap when memory is full', { kind: 'trap', message: 'x', memoryBytes: 900 }, exited, { reason: 'memory' }],
    ['nothing to run', { kind: 'unfit', message: 'x' }, exited, { reason: 'engine_error', exitCode: null }],
    ['too much to begin with', { kind: 'too-large', message: 'x' }, exited, { reason: 'memory' }],
    [
      'an engine that crashed',
      null,
      { ...exited, exitCode: 133, signal: 'SIGTRAP' },
      { reason: 'memory', signal: null },
    ],
    ['an engine that gave up', null, { ...exited, exitCode: 1 }, { reason: 'engine_error' }],
  ] as const)('is %s', (_, last, ending, expected) => {
    expect(verdictOf(ending, last, limits)).toMatchObject(expected);
  });

  it.each(['timeout', 'cancelled', 'output_limit', 'lost'] as const)(
    'stays %s, whatever the guest had said',
    (reason) => {
      const ending = { ...exited, exitCode: null, reason, message: 'why' };
      expect(verdictOf(ending, { kind: 'exited', code: 0 }, limits)).toEqual(ending);
    },
  );
});
