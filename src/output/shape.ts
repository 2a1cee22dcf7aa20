import { SkillError } from '../kernel/errors.ts';
import { count } from '../kernel/text.ts';
import { checkShaping, type Prepared } from './check.ts';
import { cutTo } from './cut.ts';
import { type Content, format } from './format.ts';
import { grep } from './grep.ts';
import { applyFilter } from './jq/filter.ts';
import type { Filter } from './jq/parse/syntax.ts';
import { NotJson, readValues } from './jq/values/read.ts';
import { hasLargeNumber, plain, type Value } from './jq/values/value.ts';
import { linesOf } from './lines.ts';
import type { Shaped, Shaping } from './types.ts';

/** Cuts output down to what was asked for, and tells what was left out. */
export function shape(output: string, shaping: Shaping): Shaped {
  const prepared = checkShaping(shaping);
  const lines = chooseLines(output, prepared);
  const content = filtered(lines.text, prepared.filter);
  const formatted = format(content, shaping.format, output.length);
  const cut = cutTo(formatted.text, shaping.maxOutput ?? Number.POSITIVE_INFINITY, shaping.truncate ?? 'middle');
  const value = cut.missing === 0 ? formatted.value : undefined;
  return {
    text: cut.text,
    value: value === undefined ? undefined : plain(value),
    notes: [
      ...lines.notes,
      ...(formatted.note === undefined ? [] : [formatted.note]),
      ...(value !== undefined && hasLargeNumber(value) ? [roundedNumbers] : []),
      ...(cut.missing === 0 ? [] : [leftOut(cut.missing, formatted.text.length, shaping)]),
    ],
  };
}

const roundedNumbers = 'Some whole numbers are too large for a program to read exactly: take them from the text.';

const parts = { head: 'at the end', tail: 'at the beginning', middle: 'in the middle' } as const;

function leftOut(missing: number, all: number, { truncate = 'middle' }: Shaping): string {
  const what = `${missing} of ${count(all, 'character')} were left out ${parts[truncate]}`;
  return `${what}: ask for more with max_output, or for less with grep, head, tail or jq.`;
}

interface Chosen {
  readonly text: string;
  readonly notes: readonly string[];
}

function chooseLines(text: string, { shaping, pattern }: Prepared): Chosen {
  const { head, tail } = shaping;
  if (pattern === null && head === undefined && tail === undefined) return { text, notes: [] };
  const all = linesOf(text);
  const matching = pattern === null ? all : grep(all, pattern, shaping.grepInvert === true ? 'others' : 'matching');
  const first = head === undefined ? matching : matching.slice(0, head);
  const last = tail === undefined ? first : first.slice(Math.max(0, first.length - tail));
  return {
    text: last.length === all.length ? text : last.join(''),
    notes: [...note('grep', matching, all), ...note('head', first, matching), ...note('tail', last, first)],
  };
}

function note(name: string, kept: readonly string[], from: readonly string[]): string[] {
  return kept.length === from.length ? [] : [`${name} kept ${kept.length} of ${count(from.length, 'line')}.`];
}

function filtered(text: string, filter: Filter | null): Content {
  if (filter === null) return { kind: 'text', text };
  return { kind: 'values', values: applyFilter(filter, valuesIn(text), text.length) };
}

/** As jq does: one document, or any number of them one after the other. */
function valuesIn(text: string): Value[] {
  try {
    return readValues(text);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new SkillError('usage', `jq needs JSON, and the output is not: ${error.message}`, {
      hint: 'Leave out jq to see the output, or use grep, head and tail, which take any text',
      cause: error,
    });
  }
}
