import { useEffect, useState } from 'preact/hooks';
import { durationInWords, sizeInWords } from '../../core/text/quantities.ts';
import type { ExecutionResult, Limits } from '../../engine/running/types.ts';
import { LongText, Problem } from '../parts/elements.tsx';
import { foreign, foreignCut } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import type { RunState } from './state.ts';
import { outcomeOf } from './words.ts';

const longest = 4000;

/** The end of a run, and what to do about it. Screen readers announce it. */
export function Outcome({ state: { result, error }, skill }: { readonly state: RunState; readonly skill: string }) {
  if (error !== null) return <Problem error={error} />;
  if (result === null) return null;
  const { tone, words } = outcomeOf(result);
  return (
    <div class={`notice ${tone}`}>
      <p>
        <strong>{words}</strong>
      </p>
      {result.message && (
        <p>
          <bdi>{foreignCut(result.message, longest)}</bdi>
        </p>
      )}
      {result.reason === 'denied' ? (
        <GrantHelp skill={skill} />
      ) : (
        result.hint && <p>{foreignCut(result.hint, longest)}</p>
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

/** Attempts that were refused during the run. */
function Denials({ result: { denials, skill } }: { readonly result: ExecutionResult }) {
  if (denials.length === 0) return null;
  return (
    <>
      <p>It tried to reach what is not allowed:</p>
      <ul aria-label="Denials">
        {denials.map(({ what, detail }) => (
          <li key={`${what}:${detail}`}>
            {what}: <bdi class="mono">{foreignCut(detail, longest)}</bdi>
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

/** The output as data, formatted to be read. */
export function ValueView({ value }: { readonly value: unknown }) {
  return (
    <section aria-labelledby="run-data">
      <h2 id="run-data">As data</h2>
      <LongText text={laidOut(value)} label="The output as data" />
    </section>
  );
}

function laidOut(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return 'It is nested too deeply to be shown.';
  }
}

/** Explains how to grant a skill what it is missing. */
export function GrantHelp({ skill }: { readonly skill: string }) {
  return (
    <p class="row run-grant">
      <a class="button" href={hrefOf('grants', [skill])}>
        Look at what it asks for
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
  return (
    <div class="run-gauges">
      <Gauge name="Time" value={elapsed} limit={limits?.timeoutMs ?? null} say={durationInWords} />
      <Gauge name="Memory" value={state.peak} limit={limits?.memoryBytes ?? null} say={sizeInWords} />
      <Gauge
        name="Output"
        // The limit applies to each stream.
        value={Math.max(bytes.stdout, bytes.stderr)}
        limit={limits?.outputBytes ?? null}
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
  readonly say: (value: number) => string;
}

function Gauge({ name, value, limit, say }: GaugeProps) {
  const words = value === null ? 'not measured' : say(value);
  const text = limit === null ? words : `${words}${value === null ? ', limit' : ' of'} ${say(limit)}`;
  const share = value === null || limit === null ? 0 : Math.min(1, value / limit);
  const level = share > 0.9 ? 'bad' : share > 0.7 ? 'warn' : '';
  return (
    <div class="run-gauge">
      <span class="run-gauge-name">{name}</span> <span class="run-gauge-words">{text}</span>
      {value !== null && limit !== null && (
        <meter
          class={level}
          aria-label={name}
          min={0}
          max={limit}
          value={Math.min(value, limit)}
          aria-valuetext={text}
        />
      )}
    </div>
  );
}
