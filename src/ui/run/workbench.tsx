import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { durationInWords } from '../../core/text/quantities.ts';
import type { AuditRow } from '../../engine/operations/running/audit.ts';
import type { Json, SkillTools, ToolRecord } from '../../engine/operations/running/tools.ts';
import type { DryRun } from '../../engine/running/types.ts';
import type { InputOf } from '../../faces/web/operations.ts';
import { Moment } from '../activity/record.tsx';
import { callerOf, outcomeOf } from '../activity/records.ts';
import { ApiError, ask, cancelRun, runTool } from '../api.ts';
import { ParameterForm } from '../form/form.tsx';
import { useParameters } from '../form/parameters.ts';
import { revisions } from '../live.ts';
import { CopyButton } from '../parts/copy.tsx';
import { bdi, Problem } from '../parts/elements.tsx';
import { type Loaded, useCalm, useLoaded } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut } from '../parts/words.ts';
import { may, runsServer } from '../session.ts';
import { type Call, formsOf, isWhole } from './calls.ts';
import { takePending } from './pending.ts';
import { PolicyPanel } from './policy.tsx';
import { RecordView, RunView } from './run-view.tsx';
import { after, createCleaners, noRun, pastRun, type RunState } from './state.ts';

const pauseMs = 350;

interface Wanted {
  readonly target: string;
  /** The parameters as JSON; null where they are not yet right. */
  readonly params: string | null;
  readonly instance: string;
}

/** The plan of a run, fetched again when typing has paused, and when skills or grants change. */
function usePlan(wanted: Wanted): Loaded<DryRun | null> {
  const { target, params, instance } = useSettled(wanted);
  return useLoaded(
    async (signal) => {
      if (params === null) return null;
      return planOf({ target, params, instance }, signal);
    },
    [target, params, instance, revisions.grants.value, revisions.skills.value],
  );
}

/** Fetches the plan as a run: there, a refusal is an answer like others, and not a failure of the request. */
async function planOf(wanted: Wanted, signal: AbortSignal): Promise<DryRun | null> {
  for await (const event of runTool({ ...inputOf(wanted), dryRun: true }, signal)) {
    if (event.event === 'plan') return event.plan;
    if (event.event === 'error') throw new ApiError(0, event.error);
  }
  return null;
}

function inputOf({ target, params, instance }: Wanted) {
  return { target, params: params ?? '{}', ...(instance !== '' && { instance }) };
}

/** The value after a pause in which nothing has changed. */
function useSettled(now: Wanted): Wanted {
  const [settled, setSettled] = useState(now);
  const text = JSON.stringify(now);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface WorkbenchProps {
  /** The name under which the skill was asked for. */
  readonly skill: string;
  /** The full name, as the log has it. */
  readonly fullName: string;
  readonly tool: ToolRecord;
  readonly instances: SkillTools['instances'];
  readonly run: RunControl;
}

/** The workbench of a tool: its parameters, the plan, the buttons, and the run. */
export function Workbench({ skill, fullName, tool, instances, run }: WorkbenchProps) {
  const parameters = useParameters(tool.parameters, `${skill}:${tool.name}`);
  const [instance, setInstance] = useState('');
  const [showMissing, setShowMissing] = useState(false);
  const { problems, json } = parameters;
  const isComplete = problems.length === 0;
  const wanted = { target: `${skill}:${tool.name}`, params: isComplete ? json : null, instance };
  const plan = usePlan(wanted);

  const start = (): void => {
    if (run.state.phase === 'running') return;
    setShowMissing(true);
    const [first] = problems;
    if (first === undefined) run.start(inputOf(wanted));
    else document.getElementById(first.id)?.focus();
  };
  useRunKey(start);
  useEffect(() => {
    if (takePending(skill, tool.name)) start();
  }, []);
  const [isLacking, setIsLacking] = useState(false);
  const again = (before: unknown): void => {
    const given = (before ?? {}) as Json;
    const isComplete = isWhole(given);
    parameters.fill(given);
    setIsLacking(!isComplete);
    if (isComplete) run.start(inputOf({ ...wanted, params: JSON.stringify(given) }));
  };
  return (
    <div class="run-bench">
      <div class="run-left">
        <div class="run-form">
          <ParameterForm parameters={parameters} showMissing={showMissing} />
          {instances.length > 0 && <InstanceChoice instances={instances} value={instance} onChoice={setInstance} />}
          {isLacking && (
            <p class="notice warn" role="alert">
              The log keeps no secrets and no long texts. Fill in what is missing, then run it.
            </p>
          )}
        </div>
        <PolicyPanel skill={skill} tool={tool.name} plan={plan} isComplete={isComplete} />
        <Buttons run={run} start={start} />
        {isComplete && <CopyAs skill={skill} tool={tool.name} params={json} instance={instance} />}
      </div>
      <div class="run-right">
        <RunView run={run} skill={skill} tool={tool.name} limits={plan.value?.permissions.limits ?? null} />
        <History
          skill={fullName}
          tool={tool.name}
          shown={run.state.record?.id ?? null}
          isRunning={run.state.phase === 'running'}
          show={run.show}
          again={again}
        />
        {run.state.record !== null && <RecordView record={run.state.record} />}
      </div>
    </div>
  );
}

interface InstanceProps {
  readonly instances: readonly string[];
  readonly value: string;
  readonly onChoice: (instance: string) => void;
}

function InstanceChoice({ instances, value, onChoice }: InstanceProps) {
  return (
    <label>
      Instance{' '}
      <select value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        <option value="">(the default)</option>
        {instances.map((name) => (
          <option key={name} value={name}>
            {foreignCut(name, 100)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Runs the tool on Ctrl+Enter, anywhere on the page. */
function useRunKey(start: () => void): void {
  const latest = useRef(start);
  latest.current = start;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** The button that runs the tool and, during a run, the one that cancels it. */
function Buttons({ run: { state, cancel }, start }: { readonly run: RunControl; readonly start: () => void }) {
  const isRunning = state.phase === 'running';
  const first = useRef<HTMLButtonElement>(null);
  const wasCancelled = useRef(false);
  useLayoutEffect(() => {
    // The button to cancel goes away with the run, and its focus returns to the other.
    if (!isRunning && wasCancelled.current && document.activeElement === document.body) first.current?.focus();
    wasCancelled.current = false;
  }, [isRunning]);
  const end = (): void => {
    wasCancelled.current = true;
    cancel();
  };
  return (
    <div class="row run-buttons">
      <button
        type="button"
        class="main"
        ref={first}
        aria-disabled={isRunning}
        aria-keyshortcuts="Control+Enter"
        onClick={start}
      >
        <Icon name="run" /> {isRunning ? 'Running …' : 'Run'}
      </button>
      {isRunning && (
        <button type="button" class="danger" aria-disabled={state.key === null || state.isCancelling} onClick={end}>
          {state.isCancelling ? 'Cancelling …' : 'Cancel'}
        </button>
      )}
      <span class="quiet">
        {isRunning ? (
          'Leaving this page cancels the run.'
        ) : (
          <>
            or <kbd>Ctrl</kbd> + <kbd>Enter</kbd>
          </>
        )}
      </span>
    </div>
  );
}

/** Interval of redrawing: a tool that produces much must not have the page drawn anew for every line. */
const drawEveryMs = 60;

export interface RunControl {
  readonly state: RunState;
  readonly start: (input: InputOf<'run'>) => void;
  readonly cancel: () => void;
  /** Shows a run that has ended earlier. */
  readonly show: (state: RunState) => void;
}

/** Controls a run, from the button to its end. Leaving the page ends it. */
export function useRun(): RunControl {
  const [state, setState] = useState<RunState>(noRun);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const start = (input: InputOf<'run'>): void => {
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    const draw = (now: RunState): void => {
      if (!mine.signal.aborted) setState((before) => ({ ...now, isCancelling: before.isCancelling }));
    };
    setState({ ...noRun, phase: 'running', startedAt: performance.now() });
    void follow(input, mine.signal, draw);
  };
  const cancel = (): void => {
    if (state.key === null) return;
    setState({ ...state, isCancelling: true });
    cancelRun(state.key).catch(() => setState((before) => ({ ...before, isCancelling: false })));
  };
  const show = (past: RunState): void => {
    if (state.phase !== 'running') setState(past);
  };
  return { state, start, cancel, show };
}

async function follow(input: InputOf<'run'>, signal: AbortSignal, draw: (state: RunState) => void): Promise<void> {
  const cleaners = createCleaners();
  let now: RunState = { ...noRun, phase: 'running', startedAt: performance.now() };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drawSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      draw(now);
    }, drawEveryMs);
  };
  try {
    for await (const event of runTool(input, signal)) {
      now = after(now, event, cleaners);
      drawSoon();
    }
    if (now.phase === 'running') now = { ...now, phase: 'ended', error: new Error(brokenOff) };
  } catch (error) {
    now = { ...now, phase: 'ended', error: error as Error };
  }
  clearTimeout(timer);
  draw(now);
}

const brokenOff = 'The connection to the server was lost, so its outcome is not known here. See the activity.';

/** Forms of the same run for elsewhere: as a command, as a call of an MCP client, and as a request. */
function CopyAs(props: Call) {
  return (
    <details class="run-copy">
      <summary>Copy this call</summary>
      {formsOf(props, location.origin).map(({ name, text }) => (
        <section key={name} aria-label={name}>
          <div class="row">
            <h3>{name}</h3>
            <CopyButton text={text} label={`Copy as ${name}`} />
          </div>
          <pre>{foreign(text)}</pre>
        </section>
      ))}
    </details>
  );
}

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
const restMs = 500;

/** The last runs of a tool, whoever started them. */
function History({ skill, tool, shown, isRunning, show, again }: HistoryProps) {
  const news = useCalm(revisions.execution.value, restMs);
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
      {bdi(foreignCut(callerOf(row), 60), 'quiet')}
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
