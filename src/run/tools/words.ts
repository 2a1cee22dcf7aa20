import { type Parsed, parsed, problem, shown } from '../../core/schema/parsed.ts';

const noShell =
  'No shell reads a command: put it into a script of the skill, or quote the character if it is meant as it stands.';

/** Characters that only a shell understands. Unquoted, they show that the author counts on one. */
const shellOnly = /[|&;<>()$`*~]/;
const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|(['"\\])/g;

/**
 * Splits a command that is written as one text into its words. Blanks part them; quotes of either kind keep blanks
 * together, and a backslash takes the next character as it is. What only a shell understands is refused in the commands
 * of authors, who count on one then; in what callers give for a command, it is as it stands.
 */
export function splitWords(text: string, by: 'author' | 'caller' = 'author'): Parsed<readonly string[]> {
  const words: string[] = [];
  let word: string | null = null;
  for (const [all, single, double, escaped, plain, stray] of text.matchAll(piece)) {
    if (stray !== undefined) return problem(`a quote or backslash is left open in ${shown(text)}`, 'Close it.');
    if (by === 'author' && plain !== undefined && shellOnly.test(plain)) {
      return problem(`${shown(plain)} has a meaning only in a shell`, noShell);
    }
    const more = single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain;
    if (more !== undefined) word = (word ?? '') + more;
    else if (word !== null && all !== '') {
      words.push(word);
      word = null;
    }
  }
  if (word !== null) words.push(word);
  return parsed(words);
}
