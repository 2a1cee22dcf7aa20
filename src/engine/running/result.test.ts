import { expect, it } from 'vitest';
import { createCollected } from './result.ts';

it('gives back what came in, whole or from a place on, at any moment', () => {
  const collected = createCollected();
  expect(Buffer.from(collected.bytes('stdout')).toString()).toBe('');
  let expected = '';
  for (let index = 0; index < 5000; index++) {
    collected.add('stdout', Buffer.from(`${index},`));
    collected.add('stderr', Buffer.from('e'));
    expected += `${index},`;
    if (index % 1500 !== 0) continue;
    expect(Buffer.from(collected.bytes('stdout', 2)).toString()).toBe(expected.slice(2));
  }
  expect(Buffer.from(collected.bytes('stdout')).toString()).toBe(expected);
  expect(Buffer.from(collected.bytes('stderr')).toString()).toBe('e'.repeat(5000));
  expect(collected.size).toBe(expected.length + 5000);
});

it('does not keep a piece for each byte that was written alone', () => {
  const collected = createCollected();
  const before = process.memoryUsage();
  for (let index = 0; index < 1_000_000; index++) collected.add('stdout', Buffer.from([index & 255]));
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  // Kept one by one, the pieces take well over 100 MB; garbage that is not yet collected counts here, too.
  expect(grown).toBeLessThan(90 * 1024 ** 2);
  expect(collected.bytes('stdout').length).toBe(1_000_000);
});
