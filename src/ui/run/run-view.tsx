import { useEffect, useRef } from 'preact/hooks';
import { sizeInWords } from '../../core/text/quantities.ts';
import type { AuditRow } from '../../engine/operations/running/audit.ts';
import type { Limits } from '../../engine/running/types.ts';
import { callerOf } from '../activity/records.ts';
import { useAtEnd } from '../parts/hooks.ts';
import { foreign, moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { Gauges, Outcome, ValueView } from './outcome.tsx';
import type { Piece, Written } from './state.ts';
import type { RunControl } from './workbench.tsx';

/** Pixels of a run that must be visible. */
const leastSeen = 200;

interface RunViewProps {
  readonly run: RunControl;
  readonly skill: string;
  /** The planned limits. */
  readonly limits: Limits | null;
}

/** A run, while it goes on and after it. */
export function RunView({ run: { state }, skill, limits }: RunViewProps) {
  const { phase, result, record, written } = state;
  const isRunning = phase === 'running';
  const hasRun = isRunning || written.pieces.length > 0 || (result !== null && result.limits !== null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A run that begins out of sight is scrolled into view.
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

/** The output of a run, as it comes. It stays scrolled to the end, unless the reader has scrolled up. */
function OutputView({ written, isRunning }: { readonly written: Written; readonly isRunning: boolean }) {
  const following = useAtEnd<HTMLPreElement>(written);
  const { pieces, dropped } = written;
  const hasErrors = pieces.some(({ stream }) => stream === 'stderr');
  return (
    <section aria-labelledby="run-output">
      <div class="row">
        <h2 id="run-output">Output</h2>
        {hasErrors && <span class="run-stderr run-legend">standard error looks like this</span>}
      </div>
      {dropped > 0 && (
        <p class="notice">The first {sizeInWords(dropped)} of the output are no longer shown, but still count.</p>
      )}
      <pre
        class="run-output"
        {...following}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Output of the run"
      >
        {pieces.map((piece) => (
          <Part key={piece.number} piece={piece} />
        ))}
        {pieces.length === 0 && <span class="quiet">{isRunning ? 'Nothing yet.' : 'It wrote nothing.'}</span>}
      </pre>
    </section>
  );
}

function Part({ piece: { stream, text } }: { readonly piece: Piece }) {
  if (stream === 'stdout') return <span>{text}</span>;
  return (
    <span class="run-stderr">
      <span class="hidden">standard error: </span>
      {text}
    </span>
  );
}

/** The audit record of a run. */
function RecordView({ record }: { readonly record: AuditRow }) {
  const { seq, hash, digest, id, timestamp, result, runtime, enforcement } = record;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Record', [`number ${seq}, of ${moment(timestamp)}`]],
    ['Result', [result]],
    ['Hash', [hash]],
    ['Digest of the skill', [digest]],
    ['Started by', [callerOf(record)]],
    ['Run as', [runtime]],
    ['Enforced by', Object.entries(enforcement).map(([what, held]) => `${what}: ${held}`)],
  ];
  return (
    <section class="card run-record" aria-labelledby="run-record">
      <div class="row">
        <h2 id="run-record">In the audit log</h2>
        <a href={hrefOf('activity', [], { id })}>Show it in the log</a>
      </div>
      <dl class="run-rows">
        {rows.map(([what, lines]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd class="mono">
              {lines.map((line) => (
                <span key={line} class="run-line">
                  <bdi>{foreign(line)}</bdi>
                </span>
              ))}
              {lines.length === 0 && 'nothing: it was not run'}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
