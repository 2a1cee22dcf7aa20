import { type Parsed, parsed, problem, shown } from '../../core/schema/parsed.ts';

/** One word of a template: fixed text, around one parameter at most. */
export interface Word {
  readonly before: string;
  readonly parameter: string | null;
  readonly after: string;
  /** The text after the question mark of `{verbose?--verbose}`, which stands there where the value is true. */
  readonly whenTrue: string | null;
}

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g;
const placeholder = /^([\p{L}_][\p{L}\p{N}_.-]*)(?:\?([\s\S]+))?$/u;
const braces = 'Write {name} for a parameter, {name?--flag} for a switch, and {{ or }} for a brace.';

/** Reads one word of a template. */
export function readWord(word: string): Parsed<Word> {
  const parts = [...word.matchAll(token)].map(([all, inside]) => ({ all, inside }));
  const at = parts.findIndex(({ inside }) => inside !== undefined);
  const wrong = parts.find(({ all }) => all === '{' || all === '}');
  if (wrong !== undefined) return problem(`there is an unmatched brace in ${shown(word)}`, braces);
  const texts = parts.map(({ all }) => (all === '{{' ? '{' : all === '}}' ? '}' : all));
  if (at === -1) return parsed({ before: texts.join(''), parameter: null, after: '', whenTrue: null });
  if (parts.slice(at + 1).some(({ inside }) => inside !== undefined)) {
    return problem(`${shown(word)} contains two parameters`, 'A word takes one parameter; give each its own word.');
  }
  const [, parameter, whenTrue = null] = placeholder.exec(parts[at]?.inside ?? '') ?? [];
  if (parameter === undefined) return problem(`${shown(texts[at])} is not a placeholder`, braces);
  if (whenTrue !== null && parts.length > 1) {
    return problem(`a switch must be a word of its own, and not a part of ${shown(word)}`, braces);
  }
  return parsed({ before: texts.slice(0, at).join(''), parameter, after: texts.slice(at + 1).join(''), whenTrue });
}
