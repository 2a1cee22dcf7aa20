import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createPressure, type Loaded } from './pressure.ts';

test('connections that hold too much are closed though timers are late', () => {
  vi.useFakeTimers();
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
  vi.useRealTimers();
});
