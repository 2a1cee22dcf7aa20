import { useEffect, useState } from 'preact/hooks';
import type { Limits } from '../../engine/running/types.ts';
import { durationInWords, sizeInWords } from '../../kernel/quantities.ts';
import type { RunState } from './state.ts';

interface GaugesProps {
  readonly state: RunState;
  readonly limits: Limits | null;
}

/** How much a run has used of what it may. */
export function Gauges({ state, limits }: GaugesProps) {
  const elapsed = useElapsed(state);
  const { bytes } = state.written;
  return (
    <div class="run-gauges">
      <Gauge name="Time" value={elapsed} limit={limits?.timeoutMs ?? null} say={durationInWords} />
      <Gauge name="Memory" value={state.peak} limit={limits?.memoryBytes ?? null} say={sizeInWords} />
      <Gauge
        name="Output"
        // The limit is that of one stream.
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
  /** Null where it cannot be measured. */
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
