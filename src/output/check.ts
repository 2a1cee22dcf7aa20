import { SkillError } from '../kernel/errors.ts';
import { compilePattern } from './grep.ts';
import { outputFormats, type Shaping } from './types.ts';

/** A shaping whose choice of lines can be done. */
export interface Prepared {
  readonly shaping: Shaping;
  readonly pattern: RegExp | null;
}

/** Refuses what cannot be done; but for the jq filter, which is checked as it is run. */
export function prepareLines(shaping: Shaping): Prepared {
  checkNumber('head', shaping.head, 0);
  checkNumber('tail', shaping.tail, 0);
  checkNumber('max_output', shaping.maxOutput, 1);
  checkChoice('format', shaping.format, outputFormats);
  checkChoice('truncate', shaping.truncate, ['head', 'tail', 'middle']);
  return { shaping, pattern: shaping.grep === undefined ? null : compilePattern(shaping.grep) };
}

function checkNumber(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw new SkillError('usage', `${name} must be a whole number of at least ${least}, not ${String(value)}`, {
    hint: `Give ${name} as a number, for example ${name}: ${Math.max(least, 20)}`,
  });
}

function checkChoice(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw new SkillError('usage', `${name} must be one of ${choices.join(', ')}, not ${value}`, {
    hint: `Give one of them, or leave ${name} out`,
  });
}
