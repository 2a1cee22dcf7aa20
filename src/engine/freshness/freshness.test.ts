import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDebounce } from './freshness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Times at which a debounced callback runs, for notes at the given times. */
function callsFor(notes: readonly number[], end: number): number[] {
  const start = Date.now();
  const calls: number[] = [];
  const debounce = createDebounce(() => calls.push(Date.now() - start));
  for (const at of notes) {
    vi.advanceTimersByTime(start + at - Date.now());
    debounce.note();
  }
  vi.advanceTimersByTime(start + end - Date.now());
  return calls;
}

describe('a debounced call', () => {
  it('is made half a second after the last event', () => {
    expect(callsFor([0], 5000)).toEqual([500]);
    expect(callsFor([0, 100, 400], 5000)).toEqual([900]);
    expect(callsFor([0, 100, 2000, 2100], 5000)).toEqual([600, 2600]);
  });

  it('is made every two seconds while events go on, and the last event is never lost', () => {
    const notes = Array.from({ length: 50 }, (_, index) => index * 100);
    expect(callsFor(notes, 10_000)).toEqual([2000, 4000, 5400]);
  });

  it('is never made after the debounce was ended', () => {
    const calls: number[] = [];
    const debounce = createDebounce(() => calls.push(1));
    debounce.note();
    debounce.end();
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual([]);
  });
});
