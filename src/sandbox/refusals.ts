import type { SurvivedLimit } from './ending.ts';

/** What programs and their runtimes write where the kernel has refused them something, in the words of the C library or their own. */
const words: readonly (readonly [SurvivedLimit, RegExp])[] = [
  ['memoryBytes', /Cannot allocate memory|\bENOMEM\b|\bMemoryError\b|out of memory|\bbad_alloc\b/i],
  [
    'processes',
    /cannot fork|\b(?:fork|clone|thread|process)\b.*(?:Resource temporarily unavailable|\bEAGAIN\b)|can't start new thread/i,
  ],
];

/** The end of what a program complains of is enough. */
const mostText = 4096;

/**
 * Where no control group counts what is refused, nobody but the program is told of it, and it may end sooner than it is looked at.
 * Keeps what it writes, and says which limits that speaks of.
 */
export function createComplaints(): { add(bytes: Uint8Array): void; limits(): readonly SurvivedLimit[] } {
  let text = '';
  return {
    add: (bytes) => {
      text = (text + Buffer.from(bytes).toString('latin1')).slice(-mostText);
    },
    limits: () => words.filter(([, pattern]) => pattern.test(text)).map(([limit]) => limit),
  };
}
