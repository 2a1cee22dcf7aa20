import { isDeepStrictEqual } from 'node:util';
import { type Head, type Line, yamlOf } from '../head.ts';
import { mendYaml } from '../mend.ts';
import { readYaml } from '../yaml.ts';
import type { Fixed, Repaired } from './types.ts';

/** Beyond this many changed lines, none is tried without its change: each trial reads the whole front matter. */
const mostTrials = 50;

/** A line of the front matter, and what it becomes: another text, or nothing. */
interface Rewrite {
  readonly line: Line;
  readonly text: string | null;
}

/** What loading reads in the place of what strict YAML refuses, written down: in as few lines as will do. */
export function quoteValues(head: Head): Repaired | null {
  const yaml = yamlOf(head);
  const read = readYaml(yaml);
  const mended = read.kind === 'error' ? mendYaml(yaml, read.problems)?.text.split('\n') : undefined;
  if (mended === undefined || mended.length !== head.yaml.length || isUnclear(head.yaml)) return null;
  const all = head.yaml.map((line, index) => rewriteOf(line, mended[index] ?? ''));
  const wanted = valuesIn(all);
  if (wanted === null) return null;
  const least = leastOf(all, wanted);
  const fixed = least.flatMap((one) => changeIn(one));
  const lines = least.flatMap(({ line, text }) => (text === null ? [] : [{ ...line, text }]));
  return { head: { ...head, yaml: lines }, fixed };
}

/** Mending leaves an empty line for each that it took into the value above; comments in between are not in there. */
function rewriteOf(line: Line, mended: string): Rewrite {
  const written = line.text.trim();
  if (mended !== '' || written === '') return { line, text: written === '' ? line.text : mended };
  return { line, text: written.startsWith('#') ? line.text : null };
}

/** Takes back every change without which the front matter reads the same. */
function leastOf(all: readonly Rewrite[], wanted: unknown): readonly Rewrite[] {
  const changed = all.flatMap(({ line, text }, index) => {
    const takesMore = all[index + 1]?.text === null;
    return text === null || text === line.text || takesMore ? [] : [index];
  });
  if (changed.length > mostTrials) return all;
  let least = all;
  for (const index of changed) {
    const { line } = all[index] as Rewrite;
    for (const text of [line.text, line.text.replace(/^\t/, '')]) {
      const trial = least.with(index, { line, text });
      if (isDeepStrictEqual(valuesIn(trial), wanted)) {
        least = trial;
        break;
      }
    }
  }
  return least;
}

function valuesIn(rewrites: readonly Rewrite[]): unknown {
  const texts = rewrites.flatMap(({ text }) => (text === null ? [] : [text]));
  const read = readYaml(texts.join('\n'));
  return read.kind === 'map' ? read.entries.map(({ key, value }) => [key, value]) : null;
}

function changeIn({ line, text }: Rewrite): Fixed[] {
  if (text === null || text === line.text) return [];
  const key = /^[^:]*/.exec(text)?.[0].trim() ?? '';
  const isIndent = text.trim() === line.text.trim();
  const message = isIndent ? 'removed a tab' : `quoted the value of ${key}`;
  return [{ code: 'rule-yaml', line: line.number, message }];
}

/** Two versions of one text, or a tab that may stand for a step inwards: only the author knows what was meant. */
function isUnclear(yaml: readonly Line[]): boolean {
  const texts = yaml.map((line) => line.text).filter((text) => !/^\s*(?:#|$)/.test(text));
  return texts.some((text, index) => {
    const isAfterNested = /^(?: |\t\t)|:\s*$/.test(texts[index - 1] ?? '');
    return /^(?:<{7}|={7}|>{7})/.test(text) || (text.startsWith('\t') && isAfterNested);
  });
}
