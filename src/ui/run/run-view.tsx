import { useEffect, useRef } from 'preact/hooks';
import type { Limits } from '../../engine/running/types.ts';
import { Gauges } from './gauges.tsx';
import { Outcome, ValueView } from './outcome.tsx';
import { OutputView } from './output-view.tsx';
import { RecordView } from './record.tsx';
import type { RunControl } from './use-run.ts';

/** Of a run, in pixels. */
const leastSeen = 200;

interface RunViewProps {
  readonly run: RunControl;
  readonly skill: string;
  /** As they are planned. */
  readonly limits: Limits | null;
}

/** A run, while it goes on and after it. */
export function RunView({ run: { state }, skill, limits }: RunViewProps) {
  const { phase, result, record, written } = state;
  const isRunning = phase === 'running';
  const hasRun = isRunning || written.pieces.length > 0 || (result !== null && result.limits !== null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Where it would be out of sight, whoever has begun it is taken there.
    const isBelow = (box.current?.getBoundingClientRect().top ?? 0) > innerHeight - leastSeen;
    if (isRunning && isBelow) box.current?.scrollIntoView({ block: 'center' });
  }, [isRunning]);
  return (
    <div class="run-view" ref={box}>
      <div role="status">
        {isRunning && <p class="hidden">Running</p>}
        {phase === 'ended' && <Outcome state={state} skill={skill} />}
      </div>
      {hasRun && <Gauges state={state} limits={result?.limits ?? limits} />}
      {result?.value !== undefined && <ValueView value={result.value} />}
      {hasRun && <OutputView written={written} isRunning={isRunning} />}
      {record !== null && <RecordView record={record} />}
    </div>
  );
}
