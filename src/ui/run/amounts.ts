import type { Limits } from '../../engine/running/types.ts';
import { durationInWords, sizeInWords } from '../../kernel/quantities.ts';

/** Each limit in words, under the name of what holds it. */
export const limitWords: { readonly [K in keyof Limits]: (value: number) => string } = {
  timeoutMs: durationInWords,
  memoryBytes: sizeInWords,
  processes: (value) => `${value} at a time`,
  outputBytes: (value) => `${sizeInWords(value)} to each of standard output and error`,
  scratchBytes: (value) => `${sizeInWords(value)} in its own /tmp, which is deleted afterwards`,
  fileBytes: (value) => `${sizeInWords(value)} in one file`,
  cpuSeconds: (value) => durationInWords(value * 1000),
};
