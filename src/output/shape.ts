import { count } from '../kernel/text.ts';
import { type Prepared, prepareLines } from './check.ts';
import { cutTo } from './cut.ts';
import { format } from './format.ts';
import { grep } from './grep.ts';
import { runJq } from './jq.ts';
import { hasLargeNumber, isNestedTooDeeply } from './json-text.ts';
import { linesOf } from './lines.ts';
import type { Shaped, Shaping } from './types.ts';

/** Cuts output down to what was asked for, and tells what was left out. */
export async function shape(output: string, shaping: Shaping): Promise<Shaped> {
  const lines = chooseLines(output, prepareLines(shaping));
  const { text } = lines;
  const { jq } = shaping;
  const formatted = await format(
    jq === undefined ? { kind: 'text', text } : { kind: 'values', values: await runJq(jq, text) },
    shaping.format,
  );
  const cut = cutTo(formatted.text, shaping.maxOutput ?? Number.POSITIVE_INFINITY, shaping.truncate ?? 'middle');
  const json = cut.missing === 0 ? formatted.json : undefined;
  return {
    text: cut.text,
    value: json === undefined || isNestedTooDeeply(json) ? undefined : JSON.parse(json),
    notes: [
      ...lines.notes,
      ...(formatted.note === undefined ? [] : [formatted.note]),
      ...(json !== undefined && hasLargeNumber(json) ? [roundedNumbers] : []),
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
