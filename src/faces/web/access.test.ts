import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createPasses } from './access.ts';

it('lets in once, and not late', () => {
  let now = 0;
  const passes = createPasses(() => now);
  const [first, second] = [passes.make(), passes.make()];
  const request = new IncomingMessage(new Socket());
  expect(passes.takes('another', request)).toBe(false);
  expect(passes.takes(first, request)).toBe(true);
  expect(passes.takes(first, request)).toBe(false);
  now = 10 * 60 * 1000;
  expect(passes.takes(second, request)).toBe(false);
});
