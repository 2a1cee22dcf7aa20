import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultCeilings, defaultLimits, limitNames, limitsFor, limitText, parseLimit } from './limits.ts';
import type { Limits } from './types.ts';

function policyWith(ceilings: Partial<Limits>): { defaults: Limits; ceilings: Limits } {
  return { defaults: defaultLimits, ceilings: { ...defaultCeilings, ...ceilings } };
}

describe('limits', () => {
  it('are the last ones set, under the ceilings', () => {
    const policy = policyWith({ memoryBytes: 512 * 1024 ** 2, timeoutMs: 600_000 });
    const skill = { memoryBytes: 1024 ** 3, timeoutMs: 40_000 };
    const tool = { timeoutMs: 60_000, processes: 8 };
    expect(limitsFor(policy, skill, tool)).toEqual({
      ...policy.defaults,
      memoryBytes: 512 * 1024 ** 2,
      timeoutMs: 60_000,
      processes: 8,
      cpuSeconds: 120,
    });
  });

  it('give a longer run more of the processor, unless that is limited too', () => {
    const policy = policyWith({});
    expect(limitsFor(policy).cpuSeconds).toBe(60);
    expect(limitsFor(policy, { timeoutMs: 1000 }).cpuSeconds).toBe(60);
    expect(limitsFor(policy, { timeoutMs: 600_000 }).cpuSeconds).toBe(1200);
    expect(limitsFor(policy, { timeoutMs: 600_000 }, { cpuSeconds: 5 }).cpuSeconds).toBe(5);
    expect(limitsFor(policy, { timeoutMs: 24 * 3_600_000 })).toMatchObject({ timeoutMs: 3_600_000, cpuSeconds: 7200 });
  });
});

describe('a limit as a capability', () => {
  it('is written so that it is read again as it was', () => {
    const limits = fc.record({ limit: fc.constantFrom(...limitNames), amount: fc.integer({ min: 1, max: 2 ** 42 }) });
    fc.assert(
      fc.property(limits, (rule) => {
        expect(parseLimit(limitText(rule))).toEqual({ ok: true, value: rule });
      }),
    );
    expect(limitText({ limit: 'memoryBytes', amount: 8 * 1024 ** 3 })).toBe('memory=8GB');
    expect(limitText({ limit: 'cpuSeconds', amount: 90 })).toBe('cpu_time=90s');
    expect(limitText({ limit: 'timeoutMs', amount: 600_000 })).toBe('timeout=10min');
  });

  it.each(['memory', 'memory=', 'memory=much', 'colour=3', 'processes=1.5', '', 'memory=-1'])('is not %j', (text) => {
    expect(parseLimit(text).ok).toBe(false);
  });
});
