/** The position of the front matter in a SKILL.md, or the reason why there is none. */
export type Fences =
  | {
      readonly kind: 'found';
      /** The text between the fences, with `\n` line ends. */
      readonly yaml: string;
      /** The line of the file (1-based) on which that text starts. */
      readonly firstLine: number;
      /** The text after the closing fence. */
      readonly body: string;
      /** Whether something stood before the opening fence. */
      readonly late: boolean;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclosed'; readonly line: number; readonly yaml: string }
  | { readonly kind: 'language'; readonly line: number; readonly language: string };

// A fence is three dashes and nothing else on the line. `---js` and its like ask to be evaluated: never.
const opening = /^---[ \t]*(?:ya?ml[ \t]*)?$/i;
const closing = /^---[ \t]*$/;
const language = /^---[ \t]*([a-z][\w+.-]*)[ \t]*$/i;
const skippable = /^\s*(?:#.*|<!--.*-->\s*)?$/;
const leadingLines = 20;

/** Splits a decoded SKILL.md. Line ends are made `\n` first: a stray CR at the last line makes YAML refuse it. */
export function splitFences(written: string): Fences {
  const marked = written.startsWith('\ufeff') ? written.slice(1) : written;
  const text = marked.includes('\r') ? marked.replace(/\r\n?/g, '\n') : marked;
  let line = 1;
  let start = 0;
  while (line <= leadingLines && start < text.length && skippable.test(lineAt(text, start))) {
    start = nextLine(text, start);
    line++;
  }
  const first = lineAt(text, start);
  if (!opening.test(first)) {
    const asked = language.exec(first)?.[1];
    return asked === undefined ? { kind: 'missing' } : { kind: 'language', line, language: asked };
  }
  const yamlStart = nextLine(text, start);
  for (let at = yamlStart; at < text.length; at = nextLine(text, at)) {
    if (!text.startsWith('---', at) || !isClosingFence(lineAt(text, at))) continue;
    return {
      kind: 'found',
      yaml: text.slice(yamlStart, Math.max(yamlStart, at - 1)),
      firstLine: line + 1,
      body: text.slice(nextLine(text, at)),
      late: line > 1,
    };
  }
  return { kind: 'unclosed', line, yaml: text.slice(yamlStart) };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}

function nextLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end + 1;
}

export function isClosingFence(line: string): boolean {
  return closing.test(line);
}

/**
 * Tells whether a line ends a front matter without a closing fence: the first blank line or heading does, if the text
 * so far has both fields.
 */
export function endsUnclosed(line: string): boolean {
  return line.trim() === '' || /^#{1,6} /.test(line);
}

/** Tells whether a front matter has the two fields that a skill must have. */
export function hasBothFields(yaml: string): boolean {
  return /^name:/m.test(yaml) && /^description:/m.test(yaml);
}

/** The text of a SKILL.md without its front matter; the whole text when there is none. */
export function bodyOf(text: string): string {
  const split = splitFences(text);
  return split.kind === 'found' ? split.body : text.replace(/^\ufeff/, '');
}
