import type { Environment } from '../../core/environment.ts';
import { list, object, optional, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { createSlicer } from '../../core/time-slice.ts';
import {
  type ActivityEvent,
  type ActivityKind,
  type ActivityRow,
  eventsBackward,
  notedKinds,
} from '../../run/audit/activity.ts';
import { notBefore } from '../../run/audit/log-files.ts';
import { type AuditRow, isNamed, rowsBackward } from '../../run/audit/read.ts';

/** Conditions on rows, all of which must hold. */
export interface ActivityFilter {
  readonly what?: ActivityKind | undefined;
  readonly client?: string | undefined;
  /** Full name of the skill, or the last part of it. */
  readonly skill?: string | undefined;
  readonly since?: Date | undefined;
  /** The person or program for whom something was done. Only records name one: there are no others of theirs then. */
  readonly subject?: string | undefined;
  /** Whether looking at skills in the console is left out. */
  readonly use?: boolean;
}

const noted: ReadonlySet<ActivityKind | undefined> = new Set(notedKinds);

/** Returns the last `limit` rows, newest first: runs and grants from the audit log, all else from the activity log. */
export async function lastActivity(
  environment: Environment,
  filter: ActivityFilter,
  limit: number,
): Promise<readonly ActivityRow[]> {
  const rows = [
    ...(filter.subject === undefined && (filter.what === undefined || noted.has(filter.what))
      ? await firstOf(notedBackward(environment, filter.since), filter, limit)
      : []),
    ...(noted.has(filter.what) ? [] : await firstOf(auditedBackward(environment, filter), filter, limit)),
  ];
  const timed = rows.map((row) => ({ row, at: Date.parse(row.time) }));
  return timed
    .sort((a, b) => b.at - a.at)
    .slice(0, limit)
    .map(({ row }) => row);
}

async function firstOf(rows: Iterable<ActivityRow>, filter: ActivityFilter, limit: number): Promise<ActivityRow[]> {
  const found: ActivityRow[] = [];
  const slicer = createSlicer();
  for (const row of rows) {
    if (fits(row, filter)) found.push(row);
    if (found.length >= limit) break;
    if (slicer.isDue) await slicer.pause();
  }
  return found;
}

function fits({ what, client, skill }: ActivityRow, filter: ActivityFilter): boolean {
  const isLook = client === 'console' && (what === 'searched' || what === 'loaded');
  return (
    !(filter.use && isLook) &&
    (filter.what === undefined || what === filter.what) &&
    (filter.client === undefined || client === filter.client) &&
    (filter.skill === undefined || (skill !== null && isNamed(skill, filter.skill)))
  );
}

/** Yields searches and loads, newest first. */
export function* notedBackward(environment: Environment, since: Date | undefined): Generator<ActivityRow> {
  for (const event of notBefore(eventsBackward(environment), ({ time }) => time, since)) yield notedRow(event);
}

function* auditedBackward(environment: Environment, { since, subject }: ActivityFilter): Generator<ActivityRow> {
  for (const row of rowsBackward(environment, since)) {
    if (subject === undefined || row.subject === subject) yield auditedRow(row);
  }
}

/** A row with the known fields only: a line may contain more than its writer should have put there. */
export function notedRow(event: ActivityEvent): ActivityRow {
  const { time, what, client, skill, detail, hits, outcome, durationMs } = event;
  return { time, what, client, skill, detail, hits, outcome, durationMs, execution: null };
}

/** The row for an execution, a grant or a revocation in the audit log. */
export function auditedRow(row: AuditRow): ActivityRow {
  const { timestamp: time, client = row.by, skill, durationMs, id: execution } = row;
  const own = { time, client, skill, hits: null, durationMs: durationMs ?? 0, execution };
  if (row.event !== 'grant') return { ...own, what: 'ran', detail: row.tool, outcome: outcomeOf(row) };
  const what = row.result === 'revoked' ? 'revoked' : 'granted';
  const user = row.user !== undefined && { user: row.user };
  return { ...own, ...user, what, detail: itemsIn(row), outcome: row.result === what ? 'ok' : row.result };
}

/** The parameters of a grant. Lines that somebody has tampered with may hold anything. */
const grantParameters = object({ items: list(text()), withheld: optional(list(text())), reason: optional(text()) });

/** The capabilities that were granted or revoked, as text. */
function itemsIn({ parameters }: AuditRow): string | null {
  const reading = read(grantParameters, parameters);
  return reading.ok ? reading.value.items.join(', ') : null;
}

/** The outcome of a run: `ok`, its exit code if that is not 0, or the reason why it did not end by itself. */
function outcomeOf({ result, exitCode }: AuditRow): string {
  if (result !== 'exited' || exitCode === null) return result;
  return exitCode === 0 ? 'ok' : `exited ${exitCode}`;
}
