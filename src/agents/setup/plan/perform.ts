import { join } from 'node:path';
import { makeFolder } from '../../../core/disk/make-folder.ts';
import { stateFolder } from '../../../core/disk/own-folders.ts';
import { changedMeanwhile, putFile } from '../../../core/disk/replace.ts';
import type { Environment } from '../../../core/environment.ts';
import { readJson } from '../../../core/formats/documents.ts';
import { sha256 } from '../../../core/hash.ts';
import { type Infer, integer, nullable, object, type Schema, text } from '../../../core/schema/schema.ts';
import { read } from '../../../core/schema/schema-reader.ts';
import { unifiedDiff } from '../../../core/text/diff.ts';
import { valueIn } from '../edit/edit.ts';
import { type Format, isMap, isSame, type Json } from '../edit/values.ts';
import { writeWithBackup } from '../edit/write.ts';

/** The mode of execution: `show` and `dry-run`, which shows the changes, write nothing. */
export type Mode = 'show' | 'dry-run' | 'write';

/** The text of a file, and the text that it should have. */
export interface Change {
  readonly file: string | null;
  readonly format: Format;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Outcome {
  /** Whether the file was written. */
  readonly done: boolean;
  readonly diff: string | null;
  /** The path of the backup of the file as it was before. */
  readonly backup: string | null;
  /** The reason why it could not be written. */
  readonly failure: string | null;
}

/** Number of tries: a running agent may write its file just now, but does not do so all the time. */
const mostTries = 5;

interface Doing {
  readonly kind: 'add' | 'remove';
  readonly mode: Mode;
  readonly environment: Environment;
}

/** Performs a plan, or shows it; plans again where somebody else has written the file meanwhile. */
export function perform<C extends Change>(
  plan: () => C,
  { kind, mode, environment }: Doing,
): { readonly plan: C; readonly outcome: Outcome } {
  const nothing: Outcome = { done: false, diff: null, backup: null, failure: null };
  for (let tries = 1; ; tries++) {
    const planned = plan();
    const { file, format, before } = planned;
    if (file === null || before === planned.after || mode === 'show') return { plan: planned, outcome: nothing };
    const change = { file, format, before, after: planned.after };
    const after = kind === 'remove' ? restored(environment, change) : change.after;
    if (mode === 'dry-run') {
      return { plan: planned, outcome: { ...nothing, diff: unifiedDiff(before, after, file) } };
    }
    const written = writeWithBackup(file, before, after);
    if (written.ok) {
      remember(environment, { kind, file, before, after });
      return { plan: planned, outcome: { ...nothing, done: true, backup: written.backup } };
    }
    if (written.reason === changedMeanwhile && tries < mostTries) continue;
    return { plan: planned, outcome: { ...nothing, failure: `it cannot be written: ${inWords(written.reason)}` } };
  }
}

const refused = 'permission denied';

const words: Readonly<Record<string, string>> = {
  EACCES: refused,
  EPERM: refused,
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'there is a file where a folder should be',
  ELOOP: 'its links form a loop',
};

/** The system's error in plain words, followed by its code for those who look it up. */
export function inWords(reason: string): string {
  const said = words[reason];
  return said === undefined ? reason : `${said} (${reason})`;
}

/** One change of ours to somebody's file: digests of its text before and after, and the replaced part. */
const stepSchema = object({
  file: text(),
  before: nullable(text(), 'The digest before; null where there was no file.'),
  after: nullable(text()),
  from: integer('Where the new text differs.'),
  to: integer('Where it differs no longer.'),
  text: text('The old text in place of that.'),
});
type Step = Infer<typeof stepSchema>;

const mostSteps = 500;
const record = 'changed-settings.json';

/**
 * The text of a file once our entry is removed: the very bytes that it had before we first changed it, if they mean the
 * same and nobody else has written to it since; or else the rest of its present text.
 */
export function restored(
  environment: Environment,
  { file, format, before, after }: Change & { file: string },
): string | null {
  const meant = meaningOf(format, after);
  let text = before;
  let found: string | null | undefined;
  for (const step of stepsOf(environment).toReversed()) {
    if (step.file !== file) continue;
    if (step.after !== digestOf(text)) break;
    text = undone(text ?? '', step);
    if (step.before !== digestOf(text)) break;
    if (isSame(meaningOf(format, text), meant)) found = text;
  }
  if (found !== undefined) return found;
  return after === '' ? null : after; // a file that is left with nothing had nothing else in it
}

function undone(text: string, { before, from, to, text: old }: Step): string | null {
  return before === null ? null : text.slice(0, from) + old + text.slice(to);
}

/** The value of a text without empty maps and lists: whether they are there makes no difference to any agent. */
function meaningOf(format: Format, text: string | null): Json | undefined {
  const read = valueIn(format, text ?? '', []);
  return read.ok ? filled(read.value, format) : undefined;
}

function filled(value: Json | undefined, format: Format): Json | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  // An empty map in YAML is usually written as a key with nothing behind it.
  if (!isMap(value)) return value === null && format === 'yaml' ? undefined : value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const inner = filled(item, format);
    return inner === undefined ? [] : [[key, inner]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * Records a change that was made. Where that cannot be written, a removal takes out our entry all the same, and leaves
 * empty what was made around it.
 */
export function remember(
  environment: Environment,
  { kind, file, before, after }: Pick<Change, 'before' | 'after'> & { kind: 'add' | 'remove'; file: string },
): void {
  const [old, now] = [digestOf(before), digestOf(after)];
  const all = stepsOf(environment);
  const own = all.filter((step) => step.file === file);
  const others = all.filter((step) => step.file !== file);
  const known = own.at(-1)?.after === old ? own : [];
  const back = known.findIndex((step) => step.before === now);
  const isForgotten = kind === 'remove' && known.length === 0; // there is nothing to go back to
  const step = { file, before: old, after: now, ...changeOf(before, after) };
  const steps = isForgotten ? [] : back === -1 ? [...known, step] : known.slice(0, back);
  try {
    keepList(environment, record, [...others, ...steps].slice(-mostSteps));
  } catch {}
}

function changeOf(before: string | null, after: string | null): Pick<Step, 'from' | 'to' | 'text'> {
  const [old, now] = [before ?? '', after ?? ''];
  const shorter = Math.min(old.length, now.length);
  let from = 0;
  while (from < shorter && old[from] === now[from]) from++;
  let end = 0;
  while (end < shorter - from && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { from, to: now.length - end, text: old.slice(from, old.length - end) };
}

function digestOf(text: string | null): string | null {
  return text === null ? null : sha256(text);
}

function stepsOf(environment: Environment): readonly Step[] {
  return keptList(environment, record, stepSchema);
}

/** A list that is kept in the state folder; items that are not of its kind are passed over. */
export function keptList<T>(environment: Environment, name: string, item: Schema<T>): readonly T[] {
  const file = readJson(join(stateFolder(environment), name));
  if (file.kind !== 'value' || !Array.isArray(file.value)) return [];
  return file.value.flatMap((one) => {
    const reading = read(item, one, 'data', 1);
    return reading.ok ? [reading.value] : [];
  });
}

export function keepList(environment: Environment, name: string, list: readonly unknown[]): void {
  makeFolder(stateFolder(environment));
  putFile(join(stateFolder(environment), name), `${JSON.stringify(list, null, 2)}\n`);
}
