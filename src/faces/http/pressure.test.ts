import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPressure, type Loaded } from './pressure.ts';

vi.mock('node:v8', { spy: true });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('connections that hold too much are closed though timers are late', () => {
  const destroyed = new Set<string>();
  const connection = (peer: string, bytes: number, awaitsClient = true): Loaded => ({
    socket: { destroy: () => destroyed.add(peer) } as unknown as Socket,
    peer,
    bytes,
    awaitsClient,
  });
  const connections = [connection('little', 10), connection('much', 900), connection('working', 500, false)];
  const pressure = createPressure({
    limit: 1000,
    connections: () => connections,
    onDropped: () => {},
    onRelief: () => {},
  });
  for (let begun = 1; begun <= 127; begun += 1) pressure.watch();
  expect(destroyed).toEqual(new Set());
  pressure.watch();
  expect(destroyed).toEqual(new Set(['much']));
  pressure.close();
});

test('the heap is kept small through the pauses of a flood, and grows as usual when it is over', () => {
  const flags = vi.mocked(setFlagsFromString).mockReset();
  let held = 500;
  const pressure = createPressure({
    limit: 1000,
    connections: () => (held === 0 ? [] : [{ socket: {} as Socket, peer: 'flood', bytes: held, awaitsClient: false }]),
    onDropped: () => {},
    onRelief: () => {},
  });
  const growths = () => flags.mock.calls.flat().filter((flag) => flag.startsWith('--heap-growing-percent='));
  pressure.watch();
  vi.advanceTimersByTime(5000);
  expect(growths()).toEqual(['--heap-growing-percent=10']);
  held = 0;
  vi.advanceTimersByTime(25_000);
  expect(growths()).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  expect(growths()).toEqual(['--heap-growing-percent=10', '--heap-growing-percent=0']);
  expect(vi.getTimerCount()).toBe(0);
  pressure.close();
});
