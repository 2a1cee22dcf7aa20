import { useEffect, useState } from 'preact/hooks';
import { durationInWords, sizeInWords } from '../../core/text/quantities.ts';
import type { AuditRow } from '../../engine/operations/running/audit.ts';
import type { ExecutionResult, Limits } from '../../engine/running/types.ts';
import { outcomeOf as outcomeInLog } from '../activity/records.ts';
import { bdi, Problem } from '../parts/elements.tsx';
import { Icon } from '../parts/icon.tsx';
import { foreign, foreignCut, message, moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import type { RunState } from './state.ts';
import { isSettledByGrant, outcomeOf } from './words.ts';

const longest = 4000;

interface OutcomeProps {
  readonly state: RunState;
  readonly skill: string;
  readonly tool: string;
}

/** The end of a run, and what to do about it. Screen readers announce it. */
export function Outcome({ state: { result, record, error }, skill, tool }: OutcomeProps) {
  if (error !== null) return <Problem error={error} />;
  if (result === null) return record === null ? null : <PastOutcome record={record} />;
  const { tone, words } = outcomeOf(result);
  return (
    <div class={`notice ${tone}`}>
      <p>
        <strong>{words}</strong>
      </p>
      {result.message && <p>{bdi(message(result.message, longest))}</p>}
      {result.reason === 'denied' && isSettledByGrant(result.hint) ? (
        <GrantHelp skill={skill} tool={tool} />
      ) : (
        result.hint && <p>{message(result.hint, longest)}</p>
      )}
      {result.notes.map((note) => (
        <p key={note} class="quiet">
          {foreignCut(note, longest)}
        </p>
      ))}
      <Denials result={result} />
    </div>
  );
}

/** The end of a run that is not of this page, as the audit log has it. */
function PastOutcome({ record }: { readonly record: AuditRow }) {
  const { tone, text } = outcomeInLog(record);
  return (
    <div class={`notice ${tone}`}>
      <p>
        <strong>An earlier run, of {moment(record.timestamp)}:</strong> {foreign(text)}
        {record.durationMs !== null && `, after ${durationInWords(record.durationMs)}`}
      </p>
      {record.message !== null && <p>{bdi(message(record.message, longest))}</p>}
    </div>
  );
}

/** Attempts that were refused during the run. */
function Denials({ result: { denials, skill } }: { readonly result: ExecutionResult }) {
  if (denials.length === 0) return null;
  return (
    <>
      <p>It tried to reach what is not allowed:</p>
      <ul aria-label="Denials">
        {denials.map(({ what, detail }) => (
          <li key={`${what}:${detail}`}>
            {what}: {bdi(foreignCut(detail, longest), 'mono')}
          </li>
        ))}
      </ul>
      <p>
        A skill may reach only hosts that its manifest asks for under <code>network</code> and that are granted.{' '}
        <a href={hrefOf('grants', [skill])}>See what {foreign(skill)} asks for</a>
      </p>
    </>
  );
}

/** Leads to where a skill is granted what it is missing, and back to the tool that is to be run. */
export function GrantHelp({ skill, tool }: { readonly skill: string; readonly tool: string }) {
  return (
    <p class="row run-grant">
      <a class="button" href={hrefOf('grants', [skill], { for: tool })}>
        <Icon name="grants" /> Review what it asks for
      </a>
      <span>
        or type <code>repertoire grant {foreign(skill)}</code>
      </span>
    </p>
  );
}

interface GaugesProps {
  readonly state: RunState;
  readonly limits: Limits | null;
}

/** Gauges of what a run has used of its limits. */
export function Gauges({ state, limits }: GaugesProps) {
  const elapsed = useElapsed(state);
  const { bytes } = state.written;
  // The record has the last word: the page may have been sent less than was written.
  const total = state.record?.outputBytes ?? bytes.stdout + bytes.stderr;
  return (
    <div class="run-gauges">
      <Gauge name="Time" value={elapsed} limit={limits?.timeoutMs ?? null} say={durationInWords} />
      <Gauge name="Memory" value={state.peak} limit={limits?.memoryBytes ?? null} say={sizeInWords} />
      <Gauge
        name="Output"
        // The limit applies to each stream.
        value={total}
        limit={limits?.outputBytes ?? null}
        fill={Math.max(bytes.stdout, bytes.stderr)}
        each=" per stream"
        say={sizeInWords}
      />
    </div>
  );
}

const tickMs = 100;

function useElapsed({ phase, startedAt, result }: RunState): number {
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    if (phase !== 'running') return;
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, [phase]);
  return result?.durationMs ?? Math.max(0, now - startedAt);
}

interface GaugeProps {
  readonly name: string;
  /** The value; null where it cannot be measured. */
  readonly value: number | null;
  readonly limit: number | null;
  /** The part of the limit that is used, where that is not the value. */
  readonly fill?: number;
  /** Words behind the limit. */
  readonly each?: string;
  readonly say: (value: number) => string;
}

function Gauge({ name, value, limit, fill = value ?? 0, each = '', say }: GaugeProps) {
  const words = value === null ? 'not measured' : say(value);
  const text =
    limit === null ? words : `${words}${value === null || each !== '' ? ', limit' : ' of'} ${say(limit)}${each}`;
  const share = value === null || limit === null ? 0 : Math.min(1, fill / limit);
  const level = share > 0.9 ? 'bad' : share > 0.7 ? 'warn' : '';
  return (
    <div class="run-gauge">
      <span class="run-gauge-name">{name}</span> <span class="run-gauge-words">{text}</span>
      {value !== null && limit !== null && (
        <meter
          class={`meter ${level}`}
          aria-label={name}
          min={0}
          max={limit}
          value={Math.min(fill, limit)}
          aria-valuetext={text}
        />
      )}
    </div>
  );
}
