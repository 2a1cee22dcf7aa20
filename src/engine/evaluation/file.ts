import { isUtf8 } from 'node:buffer';
import { isAbsent, readRegularFile, realPathOf } from '../../core/disk/files.ts';
import { expandPath } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { addTo } from '../../core/groups.ts';
import { count } from '../../core/text/text.ts';
import { type EvaluationLine, knownKeys, readLine } from './line.ts';

/** The content of an evaluation file. */
export interface EvaluationFile {
  readonly lines: readonly EvaluationLine[];
  /** Notes about lines that were passed over. */
  readonly notes: readonly string[];
}

const mostBytes = 64 * 1024 * 1024;
const mostLines = 100_000;
/** Maximum number of faults reported: more say nothing new. */
const mostFaults = 100;

/** Reads all lines. If even one of them is wrong, nothing is measured: what it was to test would be left untested. */
export function readEvaluation(file: string, environment: Environment): EvaluationFile {
  const texts = textOf(file, environment).split('\n');
  const lines: EvaluationLine[] = [];
  const faults: string[] = [];
  const unknown = new Map<string, number[]>();
  texts.forEach((text, index) => {
    if (text.trim() === '') return;
    const reading = readLine(text, index + 1);
    if (!reading.ok) {
      faults.push(`${file}:${index + 1}: ${reading.cause}. ${reading.remedy}`);
      return;
    }
    lines.push(reading.line);
    for (const key of reading.unknownKeys) addTo(unknown, key, index + 1);
  });
  if (faults.length > 0) throw wrongLines(faults, texts);
  if (lines.length === 0) throw wrong(`there is nothing to measure: ${file} is empty`, emptyHint);
  if (lines.length > mostLines) throw wrong(`${file} has more than ${mostLines} lines`, splitHint);
  const notes = [...unknown].map(
    ([key, at]) => `'${key}' (${placesOf(file, at)}) is ignored; known keys: ${knownKeys}`,
  );
  return { lines, notes };
}

/** Formats places as in `evals.jsonl:3 and 2 more lines`. */
export function placesOf(file: string, lines: readonly number[]): string {
  const more = lines.length > 1 ? ` and ${count(lines.length - 1, 'more line')}` : '';
  return `${file}:${lines[0]}${more}`;
}

const emptyHint = 'Write one object on each line, as in {"query": "merge two PDFs", "relevant": ["pdf"]}.';
const splitHint = 'Split it into several files.';

/** Makes an error for a file that cannot be used. Its exit code is not 1, which says that a test failed. */
function wrong(message: string, hint: string): SkillError {
  return new SkillError('usage', message, { hint });
}

function textOf(file: string, environment: Environment): string {
  const path = realPathOf(expandPath(file, environment));
  if (!path.ok && isAbsent(path.reason)) {
    throw wrong(`there is no file '${file}'`, 'Name a file with one query on each line; repertoire eval --help.');
  }
  const content = path.ok ? readRegularFile(path.value, mostBytes) : path;
  if (!content.ok) {
    const hint = content.reason.startsWith('larger') ? splitHint : 'Name a file that you may read.';
    throw wrong(`${file} cannot be read (${content.reason})`, hint);
  }
  const { bytes } = content.value;
  if (!isUtf8(bytes)) throw wrong(`${file} is not in UTF-8`, 'Save it as UTF-8.');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

function wrongLines(faults: readonly string[], texts: readonly string[]): SkillError {
  const rest = faults.length - mostFaults;
  const shown = rest > 0 ? [...faults.slice(0, mostFaults), `and ${count(rest, 'more line')}`] : faults;
  const isArray = texts
    .find((text) => text.trim() !== '')
    ?.trimStart()
    .startsWith('[');
  const hint = isArray
    ? "The file seems to be one JSON list; jq -c '.[]' puts each object on a line of its own."
    : 'Nothing was measured.';
  const head = `${count(faults.length, 'line')} cannot be used`;
  return wrong([head, ...shown].join('\n'), hint);
}
