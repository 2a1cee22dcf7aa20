import type { Environment } from '../../core/environment.ts';
import { type AuditRow, readAudit } from '../../run/audit/read.ts';

/** Yields executions that begin or end from now on, whoever started them, until the signal is aborted. */
export function followExecutions(environment: Environment, signal: AbortSignal): AsyncGenerator<AuditRow> {
  return readAudit(environment, { limit: 0, follow: signal, begun: 'reported' });
}

/** The audit log's row for one execution; null if it has none. */
export async function executionOf(environment: Environment, id: string): Promise<AuditRow | null> {
  for await (const row of readAudit(environment, { id, limit: 1 })) return row;
  return null;
}
