import type { Environment } from '../../core/environment.ts';
import { createSlicer } from '../../core/time-slice.ts';
import { type ActivityEvent, type ActivityKind, type ActivityRow, eventsBackward } from '../../run/audit/activity.ts';
import { notBefore } from '../../run/audit/log-files.ts';
import { type AuditRow, endsBackward, isNamed } from '../../run/audit/read.ts';

/** Conditions on rows, all of which must hold. */
export interface ActivityFilter {
  readonly what?: ActivityKind | undefined;
  readonly client?: string | undefined;
  /** Full name of the skill, or the last part of it. */
  readonly skill?: string | undefined;
  readonly since?: Date | undefined;
}

/** Returns the last `limit` rows, newest first: runs from the audit log, all else from the activity log. */
export async function lastActivity(
  environment: Environment,
  filter: ActivityFilter,
  limit: number,
): Promise<readonly ActivityRow[]> {
  const rows = [
    ...(filter.what === 'ran' ? [] : await firstOf(notedBackward(environment, filter.since), filter, limit)),
    ...(isAbout(filter, 'ran') ? await firstOf(ranBackward(environment, filter.since), filter, limit) : []),
  ];
  const timed = rows.map((row) => ({ row, at: Date.parse(row.time) }));
  return timed
    .sort((a, b) => b.at - a.at)
    .slice(0, limit)
    .map(({ row }) => row);
}

function isAbout({ what }: ActivityFilter, kind: ActivityKind): boolean {
  return what === undefined || what === kind;
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
  return (
    isAbout(filter, what) &&
    (filter.client === undefined || client === filter.client) &&
    (filter.skill === undefined || (skill !== null && isNamed(skill, filter.skill)))
  );
}

/** Yields searches and loads, newest first. */
export function* notedBackward(environment: Environment, since: Date | undefined): Generator<ActivityRow> {
  for (const event of notBefore(eventsBackward(environment), ({ time }) => time, since)) yield notedRow(event);
}

function* ranBackward(environment: Environment, since: Date | undefined): Generator<ActivityRow> {
  for (const row of endsBackward(environment, since)) yield ranRow(row);
}

/** A row with the known fields only: a line may contain more than its writer should have put there. */
export function notedRow(event: ActivityEvent): ActivityRow {
  const { time, what, client, skill, detail, hits, outcome, durationMs } = event;
  return { time, what, client, skill, detail, hits, outcome, durationMs, execution: null };
}

/** The fields of an execution that a row needs, from a record or from a row of the audit log. */
type Ran = Pick<
  AuditRow,
  'timestamp' | 'client' | 'by' | 'skill' | 'tool' | 'result' | 'exitCode' | 'durationMs' | 'id'
>;

export function ranRow(row: Ran): ActivityRow {
  return {
    time: row.timestamp,
    what: 'ran',
    client: row.client ?? row.by,
    skill: row.skill,
    detail: row.tool,
    hits: null,
    outcome: outcomeOf(row),
    durationMs: row.durationMs ?? 0,
    execution: row.id,
  };
}

/** The outcome of a run: `ok`, its exit code if that is not 0, or the reason why it did not end by itself. */
function outcomeOf({ result, exitCode }: Ran): string {
  if (result !== 'exited' || exitCode === null) return result;
  return exitCode === 0 ? 'ok' : `exited ${exitCode}`;
}
