import { once } from 'node:events';
import { expect, it } from 'vitest';
import { settlesWithin } from './settles-within.ts';

function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('counts what came in time to a process that was held up itself', async () => {
  const { port1, port2 } = new MessageChannel();
  const came = once(port2, 'message');
  port1.postMessage('in time');
  queueMicrotask(() => holdUp(60));
  expect(await settlesWithin(20, came)).toBe(true);
  port1.close();
});

it('gives up where nothing comes', async () => {
  expect(await settlesWithin(5, new Promise(() => undefined))).toBe(false);
});
