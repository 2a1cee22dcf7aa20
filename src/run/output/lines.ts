import { SkillError } from '../../core/errors.ts';
import { outputFormats, type Shaping } from './types.ts';

/** The lines of a text, each with what ends it. The last one may be without. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    lines.push(text.slice(from, end + 1));
    from = end + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** A line without what ends it. */
export function bare(line: string): string {
  if (!line.endsWith('\n')) return line;
  return line.slice(0, line.endsWith('\r\n') ? -2 : -1);
}

/** `(?i)` at the beginning is how most other dialects ask for any case. */
const leadingFlags = /^\(\?([ims]+)\)/;

/** Compiles a regular expression of a third party. */
function compilePattern(source: string): RegExp {
  const flags = [...new Set(leadingFlags.exec(source)?.[1] ?? '')].join('');
  const pattern = source.replace(leadingFlags, '');
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    // Without Unicode, escapes that mean nothing are allowed.
    return compileLoosely(pattern, flags);
  }
}

function compileLoosely(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new SkillError('usage', `grep is not a regular expression: ${(error as Error).message}`, {
      hint: 'Put a backslash before ( ) [ ] { } * + ? . | ^ $ where the character itself is meant',
      cause: error,
    });
  }
}

/** The lines that match, or those that do not. */
export function grep(lines: readonly string[], pattern: RegExp, kept: 'matching' | 'others'): string[] {
  const isMatching = kept === 'matching';
  return lines.filter((line) => pattern.test(bare(line)) === isMatching);
}

/** A shaping whose lines can be chosen, with its pattern compiled. */
export interface Prepared {
  readonly shaping: Shaping;
  readonly pattern: RegExp | null;
}

/** Refuses what cannot be done, except for the jq filter, which is checked as it is run. */
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
