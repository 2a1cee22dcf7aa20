import { useState } from 'preact/hooks';
import { durationInWords } from '../../core/text/quantities.ts';
import type { AuditRow } from '../../engine/operations/running/audit.ts';
import { Moment } from '../activity/record.tsx';
import { callerOf, outcomeOf } from '../activity/records.ts';
import { ApiError, ask } from '../api.ts';
import { revisions } from '../live.ts';
import { Problem } from '../parts/elements.tsx';
import { useCalm, useLoaded } from '../parts/hooks.ts';
import { foreignCut } from '../parts/words.ts';
import { may, runsServer } from '../session.ts';
import { pastRun, type RunState } from './state.ts';

interface HistoryProps {
  /** The full name of the skill, as the log has it. */
  readonly skill: string;
  readonly tool: string;
  /** The id of the execution that is shown. */
  readonly shown: string | null;
  readonly isRunning: boolean;
  readonly show: (state: RunState) => void;
  readonly again: (parameters: unknown) => void;
}

const most = 10;
const pauseMs = 500;

/** The last runs of a tool, whoever started them. */
export function History({ skill, tool, shown, isRunning, show, again }: HistoryProps) {
  const news = useCalm(revisions.execution.value, pauseMs);
  const loaded = useLoaded((signal) => runsOf(skill, tool, signal), [skill, tool, news]);
  const [error, setError] = useState<Error | null>(null);
  const rows = loaded.value ?? [];
  if (rows.length === 0) return null;
  const open = (row: AuditRow): void => {
    setError(null);
    outputOf(row.id).then((output) => show(pastRun(row, output)), setError);
  };
  return (
    <section class="run-history" aria-labelledby="run-history">
      <h2 id="run-history">Runs before</h2>
      {error !== null && <Problem error={error} />}
      <ol class="rows" aria-label="Runs before">
        {rows.map((row) => (
          <li key={row.id} aria-current={row.id === shown ? 'true' : undefined}>
            <HistoryRow row={row} isRunning={isRunning} open={open} again={again} />
          </li>
        ))}
      </ol>
    </section>
  );
}

async function runsOf(skill: string, tool: string, signal: AbortSignal): Promise<readonly AuditRow[]> {
  if (!may('audit')) return [];
  const answer = await ask('audit', { skill, tool, limit: most }, signal);
  return answer.what === 'executions' ? answer.executions.toReversed() : [];
}

/** The output that is kept of a run; null for none. */
async function outputOf(id: string) {
  try {
    return await ask('output', { id });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return null;
    throw error;
  }
}

interface RowProps extends Pick<HistoryProps, 'isRunning' | 'again'> {
  readonly row: AuditRow;
  readonly open: (row: AuditRow) => void;
}

function HistoryRow({ row, isRunning, open, again }: RowProps) {
  const { tone, text } = outcomeOf(row);
  const hasEnded = row.result !== 'running';
  return (
    <>
      <Moment iso={row.timestamp} />
      <span class={`badge ${tone}`}>{foreignCut(text, 60)}</span>
      {row.durationMs !== null && <span class="quiet">{durationInWords(row.durationMs)}</span>}
      <bdi class="quiet">{foreignCut(callerOf(row), 60)}</bdi>
      {runsServer() && (
        <span class="run-history-actions">
          {hasEnded && (
            <button type="button" disabled={isRunning} onClick={() => open(row)}>
              Show
            </button>
          )}
          <button type="button" disabled={isRunning} onClick={() => again(row.parameters)}>
            Run again
          </button>
        </span>
      )}
    </>
  );
}
