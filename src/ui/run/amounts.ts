import type { Limits } from '../../engine/running/types.ts';
import { inUnits, timeInWords } from '../parts/words.ts';

/** Limits are set in powers of two, and told so: 768 MB is what the manifest calls 768MB. */
export function limitSize(bytes: number): string {
  const [value, unit] = inUnits(bytes, 1024, ['bytes', 'KB', 'MB', 'GB', 'TB']);
  return `${unit === 'bytes' || value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${unit}`;
}

/** `30 s`, `2 min`, without a part that is nothing. */
export function limitTime(ms: number): string {
  return timeInWords(ms).replace(/\.0 | 0 s$/, (found) => (found === ' 0 s' ? '' : ' '));
}

/** Each limit in words, under the name of what holds it. */
export const limitWords: { readonly [K in keyof Limits]: (value: number) => string } = {
  timeoutMs: (value) => limitTime(value),
  memoryBytes: (value) => limitSize(value),
  processes: (value) => `${value} at a time`,
  outputBytes: (value) => `${limitSize(value)} to each of standard output and error`,
  scratchBytes: (value) => `${limitSize(value)} in its own /tmp, which is deleted afterwards`,
  fileBytes: (value) => `${limitSize(value)} in one file`,
  cpuSeconds: (value) => limitTime(value * 1000),
};
