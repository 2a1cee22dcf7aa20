import { SkillError } from '../kernel/errors.ts';
import { bare } from './lines.ts';

/** `(?i)` at the beginning is how most other dialects ask for any case. */
const leadingFlags = /^\(\?([ims]+)\)/;

/** A regular expression of somebody else. */
export function compilePattern(source: string): RegExp {
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
