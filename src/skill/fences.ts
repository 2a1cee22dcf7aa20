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

/** A line with the line ending its author used. */
export interface Line {
  readonly text: string;
  readonly end: string;
  /** Line number in the original file, 1-based. */
  readonly number: number;
}

/** A SKILL.md taken apart so that it can be put together again, byte for byte. */
export interface Head {
  /** The byte order mark, or nothing. */
  readonly mark: string;
  /** Lines before the opening fence: blank lines and comments. */
  readonly before: readonly Line[];
  readonly opening: Line;
  readonly yaml: readonly Line[];
  /** The closing fence; null when the author forgot it. */
  readonly closing: Line | null;
  /** Everything after the front matter, untouched. */
  readonly body: string;
}

/** Takes a text apart where loading sees its front matter; null where loading sees none. */
export function headOf(text: string): Head | null {
  const fences = splitFences(text);
  if (fences.kind === 'missing' || fences.kind === 'language') return null;
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const openingLine = fences.kind === 'found' ? fences.firstLine - 1 : fences.line;
  const endsAt = fences.kind === 'found' ? isClosingFence : endsUnclosed;
  const lines: Line[] = [];
  let at = mark.length;
  while (at < text.length) {
    const line = numberedLineAt(text, at, lines.length + 1);
    if (lines.length >= openingLine && endsAt(line.text)) break;
    lines.push(line);
    at += line.text.length + line.end.length;
  }
  const opening = lines[openingLine - 1];
  if (opening === undefined) return null;
  const closing = fences.kind === 'found' ? numberedLineAt(text, at, lines.length + 1) : null;
  const yaml = lines.slice(openingLine);
  if (closing === null && !hasBothFields(yaml.map((line) => line.text).join('\n'))) return null;
  const body = text.slice(at + (closing === null ? 0 : closing.text.length + closing.end.length));
  return { mark, before: lines.slice(0, openingLine - 1), opening, yaml, closing, body };
}

/** The text of a head and its body. */
export function textOf({ mark, before, opening, yaml, closing, body }: Head): string {
  const lines = [...before, opening, ...yaml, ...(closing === null ? [] : [closing])];
  return mark + lines.map((line) => line.text + line.end).join('') + body;
}

/** The front matter in the form that `readYaml` takes. */
export function yamlOf({ yaml }: Head): string {
  return yaml.map((line) => line.text).join('\n');
}

function numberedLineAt(text: string, at: number, number: number): Line {
  const line = /([^\r\n]*)(\r\n|\r|\n|)/y;
  line.lastIndex = at;
  const [, content = '', end = ''] = line.exec(text) ?? [];
  return { text: content, end, number };
}
