import { useEffect, useState } from 'preact/hooks';
import type { AuditRow } from '../../engine/operations/audit.ts';
import { ask } from '../api.ts';
import { onLive } from '../live.ts';
import { FollowSwitch } from '../parts/follow-switch.tsx';
import { useLoaded } from '../parts/loaded.ts';
import { Ready } from '../parts/notices.tsx';
import { useReturns } from '../parts/pace.ts';
import { FilterBar } from './filter-bar.tsx';
import { type ActivityFilters, chosen } from './filters.ts';
import { hrefWithout } from './href.ts';
import { mergeRows } from './merge.ts';
import { More } from './more.tsx';
import { RunRow } from './run-row.tsx';
import { Verify } from './verify.tsx';

const names = ['skill', 'tool', 'result', 'since'] as const;
const step = 50;
/** So many that began or ended are remembered until the log is asked for anew. */
const mostTold = 1000;

/** The audit log, the newest first. */
export function Runs({ filters }: { readonly filters: ActivityFilters }) {
  const [limit, setLimit] = useState(step);
  const [follows, setFollows] = useState(true);
  const told = useTold(follows);
  const wanted = chosen(filters, [...names, 'id']) as AuditInput;
  const asked = useLoaded((signal) => executions({ ...wanted, limit }, signal), [wanted, limit, follows, useReturns()]);
  return (
    <>
      <FilterBar label="Filters of the audit log" filters={filters} names={names}>
        <FollowSwitch isOn={follows} change={setFollows} />
      </FilterBar>
      <Verify />
      <div aria-busy={asked.isLoading}>
        <Ready loaded={asked}>
          {(rows) => (
            <>
              <RunList rows={mergeRows(rows, told, filters)} filters={filters} />
              {rows.length >= limit && (
                <More isLoading={asked.isLoading} more={() => setLimit(Math.min(10_000, limit + 2 * step))} />
              )}
            </>
          )}
        </Ready>
      </div>
    </>
  );
}

type AuditInput = Parameters<typeof ask<'audit'>>[1];

async function executions(input: AuditInput, signal: AbortSignal): Promise<readonly AuditRow[]> {
  const answer = await ask('audit', input, signal);
  return answer.what === 'executions' ? answer.executions : [];
}

/** What began or ended since the page was opened. */
function useTold(follows: boolean): readonly AuditRow[] {
  const [told, setTold] = useState<readonly AuditRow[]>([]);
  useEffect(() => {
    if (!follows) return setTold([]);
    return onLive((event) => {
      if (event.type === 'execution') setTold((before) => [...before, event.row].slice(-mostTold));
    });
  }, [follows]);
  return told;
}

function RunList({ rows, filters }: { readonly rows: readonly AuditRow[]; readonly filters: ActivityFilters }) {
  if (rows.length === 0) return <NoRuns filters={filters} />;
  return (
    <>
      <p class="activity-heads activity-run-heads" aria-hidden="true">
        <span>Time</span>
        <span>Skill and tool</span>
        <span>Result</span>
        <span>Took</span>
        <span>Output</span>
        <span>By</span>
        <span>Runtime</span>
      </p>
      <ol class="activity-rows activity-runs" aria-label="Executions">
        {rows.map((row) => (
          <RunRow key={row.id} row={row} isFirstOpen={row.id === filters.id} />
        ))}
      </ol>
    </>
  );
}

function NoRuns({ filters }: { readonly filters: ActivityFilters }) {
  const isFiltered = filters.id !== '' || names.some((name) => filters[name] !== '');
  if (isFiltered) {
    return (
      <p class="notice">
        No execution matches these filters. <a href={hrefWithout(filters)}>Show all of them</a>
      </p>
    );
  }
  return (
    <div class="notice">
      <p>Nothing has been executed yet. Every run of a tool is logged here: who called it, and with what result.</p>
      <p>
        Run one from the page of its skill, or with <code>repertoire run SKILL TOOL</code>.{' '}
        <code>repertoire tools</code> lists them.
      </p>
    </div>
  );
}
