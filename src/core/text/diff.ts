/** A line, or another piece of text, that is kept, removed or added. */
export interface Change {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

const context = 3;

/**
 * Cells up to which each line is compared with each other; beyond, all old lines are removed and all new ones added.
 */
const cellLimit = 1_000_000;

/** The changes to a file, as `diff -u` writes them; empty where there are none. Null stands for no file. */
export function unifiedDiff(before: string | null, after: string | null, name: string): string {
  if (before === after) return '';
  const changes = changesOf(linesOf(before ?? ''), linesOf(after ?? ''));
  const heads = [`--- ${before === null ? '/dev/null' : name}`, `+++ ${after === null ? '/dev/null' : name}`];
  return `${[...heads, ...hunksOf(changes)].join('\n')}\n`;
}

/** Splits a text into lines with their line ends, so that a last line without an end differs from one that has it. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The changes that make one list of pieces another. */
export function changesOf(old: readonly string[], fresh: readonly string[]): Change[] {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return [
    ...signed(' ', old.slice(0, start)),
    ...middleOf(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...signed(' ', old.slice(old.length - end)),
  ];
}

function signed(sign: Change['sign'], lines: readonly string[]): Change[] {
  return lines.map((line) => ({ sign, line }));
}

/** Compares by the longest common subsequence. */
function middleOf(old: readonly string[], fresh: readonly string[]): Change[] {
  const width = fresh.length + 1;
  if ((old.length + 1) * width > cellLimit) return [...signed('-', old), ...signed('+', fresh)];
  const lengths = lengthsOf(old, fresh);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  const changes: Change[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [gone = '', come = ''] = [old[row], fresh[column]];
    if (row < old.length && column < fresh.length && gone === come) {
      changes.push({ sign: ' ', line: gone });
      row++;
      column++;
    } else if (row < old.length && (column === fresh.length || at(row + 1, column) >= at(row, column + 1))) {
      changes.push({ sign: '-', line: gone });
      row++;
    } else {
      changes.push({ sign: '+', line: come });
      column++;
    }
  }
  return changes;
}

/** The length of the longest common subsequence of the rests, for each pair of positions. */
function lengthsOf(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      const [below = 0, right = 0] = [lengths[(row + 1) * width + column], lengths[row * width + column + 1]];
      const both = (lengths[(row + 1) * width + column + 1] ?? 0) + 1;
      lengths[row * width + column] = old[row] === fresh[column] ? both : Math.max(below, right);
    }
  }
  return lengths;
}

function hunksOf(changes: readonly Change[]): string[] {
  const lines: string[] = [];
  const near = changes.map((_, index) =>
    changes.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  let [old, fresh] = [1, 1];
  for (let index = 0; index < changes.length; ) {
    if (near[index] !== true) {
      [old, fresh, index] = [old + 1, fresh + 1, index + 1];
      continue;
    }
    const stop = near.indexOf(false, index);
    const hunk = changes.slice(index, stop === -1 ? changes.length : stop);
    const [gone, come] = [
      hunk.filter(({ sign }) => sign !== '+').length,
      hunk.filter(({ sign }) => sign !== '-').length,
    ];
    lines.push(`@@ -${rangeOf(old, gone)} +${rangeOf(fresh, come)} @@`, ...hunk.flatMap(written));
    [old, fresh, index] = [old + gone, fresh + come, index + hunk.length];
  }
  return lines;
}

function rangeOf(start: number, length: number): string {
  if (length === 1) return String(start);
  return `${length === 0 ? start - 1 : start},${length}`;
}

function written({ sign, line }: Change): string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
}

/** The text of two changes to one text put together. */
export interface Merged {
  readonly text: string;
  /** The number of places where both have changed the same lines, each in its own way. */
  readonly conflicts: number;
}

/** Puts two changes to a text together; where they disagree, one of them is preferred. */
export function mergedText(base: string, mine: string, theirs: string, preferred: 'mine' | 'theirs'): Merged {
  const old = linesOf(base);
  const sides = [editsOf(old, linesOf(mine)), editsOf(old, linesOf(theirs))] as const;
  let [text, at, conflicts] = ['', 0, 0];
  for (const { start, end, edits } of regionsOf(sides)) {
    const [own, other] = edits.map((all) => applied(old, start, end, all)) as [string, string];
    const isConflict = edits[0].length > 0 && edits[1].length > 0 && own !== other;
    const isOwn = isConflict ? preferred === 'mine' : edits[0].length > 0;
    text += old.slice(at, start).join('') + (isOwn ? own : other);
    at = end;
    if (isConflict) conflicts++;
  }
  return { text: text + old.slice(at).join(''), conflicts };
}

/** A change of some lines to others; the place is counted in old lines. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function editsOf(old: readonly string[], fresh: readonly string[]): Edit[] {
  const edits: { start: number; end: number; lines: string[] }[] = [];
  let at = 0;
  let isOpen = false;
  for (const { sign, line } of changesOf(old, fresh)) {
    if (sign !== ' ' && !isOpen) edits.push({ start: at, end: at, lines: [] });
    isOpen = sign !== ' ';
    const edit = edits.at(-1);
    if (sign !== '+') at++;
    if (edit === undefined || !isOpen) continue;
    edit.end = at;
    if (sign === '+') edit.lines.push(line);
  }
  return edits;
}

/** A stretch of old lines that one side has changed, or both have. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly edits: readonly [Edit[], Edit[]];
}

/** Groups edits that touch each other. */
function regionsOf(sides: readonly [readonly Edit[], readonly Edit[]]): Region[] {
  const all = sides.flatMap((edits, side) => edits.map((edit) => ({ edit, side })));
  all.sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
  const regions: { start: number; end: number; edits: [Edit[], Edit[]] }[] = [];
  for (const { edit, side } of all) {
    const last = regions.at(-1);
    const region =
      last !== undefined && edit.start <= last.end ? last : { ...edit, edits: [[], []] as [Edit[], Edit[]] };
    if (region !== last) regions.push(region);
    region.end = Math.max(region.end, edit.end);
    region.edits[side as 0 | 1].push(edit);
  }
  return regions;
}

/** The lines of a stretch after the edits of one side. */
function applied(old: readonly string[], start: number, end: number, edits: readonly Edit[]): string {
  let [text, at] = ['', start];
  for (const edit of edits) {
    text += old.slice(at, edit.start).join('') + edit.lines.join('');
    at = edit.end;
  }
  return text + old.slice(at, end).join('');
}
