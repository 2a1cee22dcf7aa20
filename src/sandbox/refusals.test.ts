import { expect, it } from 'vitest';
import { createComplaints } from './refusals.ts';

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
])('finds %s in what a program says of it: %j', (limit, text) => {
  expect(limitsIn(text)).toEqual([limit]);
  expect(limitsIn(text.slice(0, 9), text.slice(9))).toEqual([limit]);
});

it.each(['read: Resource temporarily unavailable\n', 'No such file or directory\n', 'memory: 64 MB\n'])(
  'finds none in %j',
  (text) => {
    expect(limitsIn(text)).toEqual([]);
  },
);
