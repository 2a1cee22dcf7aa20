import { once } from 'node:events';
import { expect, it } from 'vitest';
import { settlesWithin } from './settles-within.ts';

function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('settlesWithin() counts a promise that settled in time although the process itself was held up', async () => {
  const { port1, port2 } = new MessageChannel();
  const came = once(port2, 'message');
  port1.postMessage('in time');
  queueMicrotask(() => holdUp(60));
  expect(await settlesWithin(20, came)).toBe(true);
  port1.close();
});

it('settlesWithin() gives up on a promise that does not settle', async () => {
  expect(await settlesWithin(5, new Promise(() => undefined))).toBe(false);
});
