import { endsUnclosed, hasBothFields, isClosingFence, splitFences } from './fences.ts';

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
    const line = lineAt(text, at, lines.length + 1);
    if (lines.length >= openingLine && endsAt(line.text)) break;
    lines.push(line);
    at += line.text.length + line.end.length;
  }
  const opening = lines[openingLine - 1];
  if (opening === undefined) return null;
  const closing = fences.kind === 'found' ? lineAt(text, at, lines.length + 1) : null;
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

function lineAt(text: string, at: number, number: number): Line {
  const line = /([^\r\n]*)(\r\n|\r|\n|)/y;
  line.lastIndex = at;
  const [, content = '', end = ''] = line.exec(text) ?? [];
  return { text: content, end, number };
}
