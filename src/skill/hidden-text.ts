import { isAscii } from 'node:buffer';
import { type Diagnostic, diagnostic, positionAt } from '../core/diagnostics.ts';
import { showHidden } from '../core/text/hidden.ts';
import { count } from '../core/text/text.ts';

const listed = 5;

/** The diagnostic for a file with hidden characters, at the first of them; null if there are none. */
export function hiddenIn(bytes: Buffer, file: string): Diagnostic | null {
  if (isAscii(bytes)) return null;
  const text = bytes.toString('utf8');
  const { count: number, kinds, first } = showHidden(text);
  if (number === 0) return null;
  const named = `${kinds.slice(0, listed).join(', ')}${kinds.length > listed ? ', …' : ''}`;
  const message = `${count(number, 'character')} that cannot be seen (${named}); models see <${kinds[0]}> instead`;
  const remedy = 'Remove them, unless you know what they are there for.';
  return diagnostic('text-hidden', file, message, remedy, positionAt(text, first));
}
