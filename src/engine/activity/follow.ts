import type { Environment } from '../../core/environment.ts';
import { type ActivityRow, followEvents } from '../../run/audit/activity.ts';
import { type AuditRow, readAudit } from '../../run/audit/read.ts';
import { auditedRow, notedRow } from './rows.ts';

/** Yields searches, loads, runs and grants from now on, by any process, until the signal is aborted. */
export async function* followActivity(environment: Environment, signal: AbortSignal): AsyncGenerator<ActivityRow> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const waiting: ActivityRow[] = [];
  let wake = (): void => {};
  let failure: unknown;

  async function gather<T>(rows: AsyncIterable<T>, rowOf: (one: T) => ActivityRow | null): Promise<void> {
    try {
      for await (const one of rows) {
        const row = rowOf(one);
        if (row === null) continue;
        waiting.push(row);
        wake();
      }
    } catch (error) {
      failure ??= error;
      ended.abort();
    }
  }

  both.addEventListener('abort', () => wake(), { once: true });
  const gathering = Promise.all([
    gather(followEvents(environment, both), notedRow),
    // A change is in both logs.
    gather(readAudit(environment, { limit: 0, follow: both }), (row) =>
      row.event === 'change' ? null : auditedRow(row),
    ),
  ]);
  try {
    while (!both.aborted || waiting.length > 0) {
      yield* waiting.splice(0);
      if (waiting.length > 0 || both.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure !== undefined) throw failure;
  } finally {
    ended.abort();
    await gathering;
  }
}

/** Yields executions that begin or end from now on, whoever started them, until the signal is aborted. */
export function followExecutions(environment: Environment, signal: AbortSignal): AsyncGenerator<AuditRow> {
  return readAudit(environment, { limit: 0, follow: signal, begun: 'reported' });
}

/** The audit log's row for one execution; null if it has none. */
export async function executionOf(environment: Environment, id: string): Promise<AuditRow | null> {
  for await (const row of readAudit(environment, { id, limit: 1 })) return row;
  return null;
}
