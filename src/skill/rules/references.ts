/** A relative path that a body links to. */
export interface Reference {
  readonly path: string;
  /** Line of the body and column, 1-based. */
  readonly line: number;
  readonly column: number;
}

/** Number of links read: more than any real body has to files of its own. */
const most = 1000;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^\s*(?:[-*+]|\d+[.)])\s/;
const definition = /^ {0,3}\[[^\]]+\]:[ \t]*(?:<([^<>]*)>|(\S+))/d;
const target =
  /\([ \t]*(?:<([^<>]*)>|((?:[^\s()<>]|\([^\s()]*\))+))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*\)/dy;

/** The links of a Markdown body that lead to files beside it, each path once; those in code are examples. */
export function referencesIn(body: string): readonly Reference[] {
  const found = new Map<string, Reference>();
  let number = 0;
  for (const line of proseLines(body)) {
    number++;
    for (const [written, column] of line === null ? [] : targetsIn(line)) {
      const path = relativePath(written);
      if (path !== null && !found.has(path)) found.set(path, { path, line: number, column });
      if (found.size >= most) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** Every line, with null for those of fenced code. */
function* outsideFences(lines: readonly string[]): Iterable<string | null> {
  let open = '';
  for (const line of lines) {
    const mark = fence.exec(line)?.[1] ?? '';
    yield open === '' && mark === '' ? line : null;
    if (open === '') open = mark;
    else if (mark.startsWith(open) && line.trim() === mark) open = '';
  }
}

/**
 * Lines with null for fenced and for indented code: lines that are indented after a blank line and not part of a list.
 */
function* proseLines(body: string): Iterable<string | null> {
  let [wasBlank, inList] = [true, false];
  for (const line of outsideFences(body.split('\n'))) {
    const isBlank = line === null || line.trim() === '';
    const isIndented = line !== null && /^(?: {4}|\t)/.test(line);
    const isCode = isIndented && wasBlank && !inList;
    yield isCode ? null : line;
    if (!isBlank && !isIndented) inList = listItem.test(line) || (inList && line.startsWith(' '));
    // Indented code goes on until a line that is not: each of its lines is as good as blank.
    wasBlank = isBlank || isCode;
  }
}

function* targetsIn(line: string): Iterable<[string, number]> {
  const text = line.includes('`') ? withoutCode(line) : line;
  const defined = definition.exec(text);
  const places = defined?.indices?.[1] ?? defined?.indices?.[2];
  if (places !== undefined) yield [text.slice(...places), places[0] + 1];
  for (let at = text.indexOf(']('); at !== -1; at = text.indexOf('](', at + 2)) {
    target.lastIndex = at + 1;
    const range = target.exec(text)?.indices;
    const place = range?.[1] ?? range?.[2];
    if (place !== undefined) yield [text.slice(...place), place[0] + 1];
  }
}

/** The line with its code spans blanked out. Each run of backticks ends at the next of the same length. */
function withoutCode(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  const next = new Map<number, number>();
  const ends = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index] ?? { length: 0 };
    ends[index] = next.get(length) ?? -1;
    next.set(length, index);
  }
  let [out, from] = ['', 0];
  for (let index = 0; index < runs.length; index++) {
    const [start, end] = [runs[index], runs[ends[index] ?? -1]];
    if (start === undefined || end === undefined) continue;
    const stop = end.at + end.length;
    out += line.slice(from, start.at) + ' '.repeat(stop - start.at);
    from = stop;
    index = ends[index] ?? index;
  }
  return out + line.slice(from);
}

/** The path of a link, or null for one that leads to the web, within the page, or is a placeholder. */
function relativePath(written: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(written)) return null;
  const bare = written.replace(/[#?].*$/, '');
  // A single word is `[text](url)` far more often than a file without an extension; braces and the like are templates.
  if (!/[./]/.test(bare) || /[{}$*|<>]|\.{3}/.test(bare)) return null;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare; // A stray per cent sign stands for itself.
  }
}
