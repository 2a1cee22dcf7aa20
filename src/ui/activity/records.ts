import { counted } from '../../core/text/text.ts';
import type { ActivityRow } from '../../engine/operations/machine/activity.ts';
import type { AuditRow, Breach, VerifyResult } from '../../engine/operations/running/audit.ts';
import type { Said } from '../parts/words.ts';
import { type ActivityFilters, resultWords } from './filters.ts';

type Wanted = Pick<ActivityFilters, 'skill' | 'tool' | 'result' | 'id'>;

/**
 * Merges the executions that were loaded with those reported since, the newest first. One that ends stays in its place,
 * which is that of its first known record.
 */
export function mergeRows(
  asked: readonly AuditRow[],
  streamed: readonly AuditRow[],
  wanted: Wanted,
): readonly AuditRow[] {
  const known = new Map<string, { readonly row: AuditRow; readonly place: number }>();
  for (const row of [...asked, ...streamed]) {
    const before = known.get(row.id);
    const place = Math.min(row.seq, before?.place ?? row.seq);
    known.set(row.id, { row: before?.row.event === 'end' ? before.row : row, place });
  }
  return [...known.values()]
    .filter(({ row }) => isWanted(row, wanted))
    .sort((one, other) => other.place - one.place)
    .map(({ row }) => row);
}

/** Whether a row passes the filters, as on the server. */
function isWanted(row: AuditRow, { skill, tool, result, id }: Wanted): boolean {
  return (
    isNamed(row.skill, skill) &&
    (tool === '' || row.tool === tool) &&
    (result === '' || row.result === result) &&
    (id === '' || row.id === id)
  );
}

function isNamed(full: string, name: string): boolean {
  return name === '' || full === name || full.endsWith(`:${name}`) || full.endsWith(`/${name}`);
}

const tones: ReadonlyMap<string, Said['tone']> = new Map([
  ['running', ''],
  ['cancelled', 'warn'],
  ['granted', 'good'],
  ['changed', 'good'],
  ['narrowed', 'warn'],
  ['revoked', 'warn'],
]);

/** The subject of a record: the tool of a skill, or what was done to one. */
export function subjectOf({ event, operation, skill, tool }: AuditRow): string {
  if (event === 'change') return `${operation ?? ''} ${skill}`.trim();
  return event === 'grant' ? skill : `${skill}:${tool}`;
}

/** The outcome of an execution. Records may have been tampered with, and say anything. */
export function outcomeOf({ result, exitCode }: Pick<AuditRow, 'result' | 'exitCode'>): Said {
  if (result === 'exited' && exitCode === 0) return { tone: 'good', text: 'succeeded' };
  if (result === 'exited') return { tone: 'warn', text: `failed with ${exitCode ?? 'no code'}` };
  return { tone: tones.get(result) ?? 'bad', text: reasonInWords(result) };
}

function reasonInWords(result: string): string {
  return Object.hasOwn(resultWords, result) ? resultWords[result as keyof typeof resultWords] : result;
}

/** The outcome of any activity. */
export function activityOutcome({ what, outcome, hits }: Pick<ActivityRow, 'what' | 'outcome' | 'hits'>): Said {
  if (what === 'searched' && outcome === 'ok') return { tone: '', text: `${hits ?? 0} found` };
  if (outcome === 'ok') return { tone: 'good', text: what === 'ran' ? 'succeeded' : 'ok' };
  const exitCode = /^exited (\d+)$/.exec(outcome)?.[1];
  if (exitCode !== undefined) return outcomeOf({ result: 'exited', exitCode: Number(exitCode) });
  return { tone: tones.get(outcome) ?? 'bad', text: reasonInWords(outcome) };
}

/** The caller as text, such as `mcp (claude-code)`: the entry point, and the name that the client gave itself. */
export function callerOf({ by, client, user }: Pick<AuditRow, 'by' | 'client' | 'user'>): string {
  const through = client === undefined ? String(by) : `${by} (${client})`;
  return user === undefined ? through : `${user}, ${through}`;
}

/** The time for today, with the day before it for any other day. */
export function shortMoment(iso: string, now: Date, locale?: string): string {
  const then = new Date(iso);
  const time = then.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  if (then.toDateString() === now.toDateString()) return time;
  const isThisYear = then.getFullYear() === now.getFullYear();
  const day = then.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
  return `${day}, ${time}`;
}

/** Any value of a record as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 2) ?? 'nothing';
}

interface Verdict {
  readonly tone: 'good' | 'bad';
  readonly title: string;
  readonly lines: readonly string[];
}

const titles: Readonly<Record<Breach, string>> = {
  edited: 'A record was changed.',
  forged: 'A record was made without the key.',
  missing: 'Records are missing.',
  reordered: 'Records were reordered.',
  repeated: 'A record is there twice.',
  unchained: 'A record does not follow the one before it.',
  signature: 'A checkpoint is not signed with the key.',
  'file-missing': 'A file of the log is missing.',
  'file-swapped': 'A file of the log is not the one that belongs there.',
  'cut-off': 'The end of the log was cut off.',
  head: 'The head of the log was changed.',
  key: 'The audit key is missing, or is not the right one.',
  alarm: 'The log says that something was wrong when it was written.',
};

/** The result of checking the chain, in words. */
export function verdictOf(result: VerifyResult): Verdict {
  const { broken } = result;
  if (broken === null) return { tone: 'good', title: soundTitle(result), lines: factsOf(result) };
  return {
    tone: 'bad',
    title: `The chain is broken. ${titles[broken.why]}`,
    lines: [placeOf(broken), ...factsOf(result), 'Leave the folder as it is, and compare it with a copy of yours.'],
  };
}

function soundTitle({ records }: VerifyResult): string {
  return records === 0 ? 'There is nothing to check yet.' : 'The chain is intact. Every record is as it was written.';
}

/** The place where the chain is broken, as exactly as is known. */
function placeOf({ file, line, seq, message }: NonNullable<VerifyResult['broken']>): string {
  const place = [file, line === null ? '' : `line ${line}`, seq === null ? '' : `record ${seq}`];
  return `${place.filter((part) => part !== '').join(', ')}: ${message}.`;
}

function factsOf({ records, files, checkpoints, archived, tornBytes, last, key, folder }: VerifyResult): string[] {
  const until = last === null ? '' : `, up to record ${last.seq}`;
  return [
    ...(records === 0
      ? []
      : [`${counted(records, 'valid record')} in ${counted(files, 'file')}${until}.`, signedInWords(checkpoints, key)]),
    ...archived.map(
      ({ file, from, to }) => `Records ${from} to ${to} were archived; the checkpoint in ${file} vouches for them.`,
    ),
    ...(tornBytes === 0
      ? []
      : [`${counted(tornBytes, 'byte')} at the end never became a record: the process that wrote them was killed.`]),
    ...(last === null ? [] : [`Last valid record: ${last.hash}`]),
    ...(key === null ? [] : [`Key: ${key}`]),
    `Folder: ${folder}`,
  ];
}

function signedInWords(checkpoints: number, key: string | null): string {
  if (checkpoints === 0) return 'No checkpoint has been signed yet.';
  const signed = counted(checkpoints, 'signed checkpoint');
  // Without the key nobody can tell the signer.
  return key === null ? `${signed}, not checked.` : `${signed}, with the right signature.`;
}
