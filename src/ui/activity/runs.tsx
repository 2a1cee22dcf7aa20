import { useEffect, useRef, useState } from 'preact/hooks';
import { durationInWords, sizeInWords } from '../../core/text/quantities.ts';
import type { AuditRow, VerifyResult } from '../../engine/operations/running/audit.ts';
import { ask } from '../api.ts';
import { onLive } from '../live.ts';
import { bdi, FollowSwitch, Problem, Ready } from '../parts/elements.tsx';
import { useLoaded, useReturns } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut } from '../parts/words.ts';
import { FilterBar } from './filter-bar.tsx';
import { type ActivityFilters, chosen } from './filters.ts';
import { hrefWithout } from './href.ts';
import { Moment, More, Record } from './record.tsx';
import { callerOf, mergeRows, outcomeOf, subjectOf, verdictOf } from './records.ts';

const longestName = 120;

/** An execution in a line, which opens to show the whole record. */
function RunRow({ row, isFirstOpen }: { readonly row: AuditRow; readonly isFirstOpen: boolean }) {
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  const { tone, text } = outcomeOf(row);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <Moment iso={row.timestamp} />
          <span class="activity-what">{bdi(foreignCut(subjectOf(row), longestName))}</span>
          <span>
            <span class={`badge ${tone}`}>{foreignCut(text, longestName)}</span>
            {row.unsafe === true && <span class="badge bad">no sandbox</span>}
          </span>
          <span class="activity-number">
            <span class="hidden">took </span>
            {row.durationMs === null ? '–' : durationInWords(row.durationMs)}
          </span>
          <span class="activity-number">
            <span class="hidden">output </span>
            {row.outputBytes === null ? '–' : sizeInWords(row.outputBytes)}
          </span>
          <span class="quiet">
            <span class="hidden">by </span>
            {bdi(foreignCut(callerOf(row), longestName))}
          </span>
          <span class="quiet">{bdi(foreignCut(String(row.runtime), longestName))}</span>
        </summary>
        {isOpen && <Record row={row} />}
      </details>
    </li>
  );
}

const names = ['skill', 'tool', 'result', 'since'] as const;
const step = 50;
/** Number of begun or ended executions remembered until the log is loaded again. */
const mostStreamed = 1000;

/** The audit log, the newest first. */
export function Runs({ filters }: { readonly filters: ActivityFilters }) {
  const [limit, setLimit] = useState(step);
  const [follows, setFollows] = useState(true);
  const streamed = useStreamed(follows);
  const [verified, verify] = useVerification();
  const wanted = chosen(filters, [...names, 'id']) as AuditInput;
  const asked = useLoaded((signal) => executions({ ...wanted, limit }, signal), [wanted, limit, follows, useReturns()]);
  return (
    <>
      <FilterBar label="Filters of the audit log" filters={filters} names={names}>
        <FollowSwitch isOn={follows} change={setFollows} />
        <button type="button" class="activity-verify" disabled={verified === 'checking'} onClick={verify}>
          <Icon name="grants" />
          Verify the chain
        </button>
      </FilterBar>
      <Verified state={verified} again={verify} />
      <div aria-busy={asked.isLoading}>
        <Ready loaded={asked}>
          {(rows) => (
            <>
              <RunList rows={mergeRows(rows, streamed, filters)} filters={filters} />
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

/** Executions that began or ended since the page was opened. */
function useStreamed(follows: boolean): readonly AuditRow[] {
  const [streamed, setStreamed] = useState<readonly AuditRow[]>([]);
  useEffect(() => {
    if (!follows) return setStreamed([]);
    return onLive((event) => {
      if (event.type === 'execution') setStreamed((before) => [...before, event.row].slice(-mostStreamed));
    });
  }, [follows]);
  return streamed;
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

type State = 'unasked' | 'checking' | VerifyResult | Error;

/** Checks that nothing in the log was changed, when somebody asks. */
function useVerification(): readonly [State, () => void] {
  const [state, setState] = useState<State>('unasked');
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const check = (): void => {
    setState('checking');
    verification(stop.current.signal).then(setState, (error: Error) => stop.current.signal.aborted || setState(error));
  };
  return [state, check];
}

function Verified({ state, again }: { readonly state: State; readonly again: () => void }) {
  return (
    <>
      <div role="status">
        {state === 'checking' && <p class="quiet">Checking every record …</p>}
        {typeof state === 'object' && !(state instanceof Error) && <Result result={state} />}
      </div>
      {state instanceof Error && <Problem error={state} again={again} />}
    </>
  );
}

async function verification(signal: AbortSignal): Promise<State> {
  const answer = await ask('audit', { action: 'verify' }, signal);
  return answer.what === 'verification' ? answer : 'unasked';
}

function Result({ result }: { readonly result: VerifyResult }) {
  const { tone, title, lines } = verdictOf(result);
  return (
    <div class={`notice ${tone}`}>
      <p>
        <strong>{title}</strong>
      </p>
      <ul class="activity-verdict">
        {lines.map((line) => (
          <li key={line}>{bdi(foreign(line))}</li>
        ))}
      </ul>
    </div>
  );
}
