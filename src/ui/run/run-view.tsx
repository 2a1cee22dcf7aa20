import { useEffect, useRef } from 'preact/hooks';
import type { AuditRow } from '../../engine/operations/running/audit.ts';
import type { Limits } from '../../engine/running/types.ts';
import { callerOf } from '../activity/records.ts';
import { bdi, Empty } from '../parts/elements.tsx';
import { foreign, moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { Gauges, Outcome } from './outcome.tsx';
import { OutputPanel } from './output.tsx';
import type { RunControl } from './workbench.tsx';

/** Pixels of a run that must be visible. */
const leastSeen = 200;

interface RunViewProps {
  readonly run: RunControl;
  readonly skill: string;
  readonly tool: string;
  /** The planned limits. */
  readonly limits: Limits | null;
}

/** A run, while it goes on and after it. */
export function RunView({ run: { state }, skill, tool, limits }: RunViewProps) {
  const { phase, result, record, written, kept, value } = state;
  const isRunning = phase === 'running';
  const isPast = phase === 'ended' && result === null && record !== null;
  const hasRun = isRunning || isPast || written.pieces.length > 0 || (result !== null && result.limits !== null);
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
        {phase === 'ended' && <Outcome state={state} skill={skill} tool={tool} />}
      </div>
      {phase === 'none' && (
        <Empty icon="run" title="The output appears here">
          <p>Fill in the parameters, look at what it would do, and run it.</p>
        </Empty>
      )}
      {hasRun && !isPast && <Gauges state={state} limits={result?.limits ?? limits} />}
      {isPast && kept === null ? (
        <p class="notice">Its output is not kept: it wrote nothing, ran outside a server, or is too old.</p>
      ) : (
        hasRun && (
          <OutputPanel
            written={written}
            isRunning={isRunning}
            id={result?.id ?? record?.id ?? null}
            kept={kept}
            value={value}
          />
        )
      )}
    </div>
  );
}

/** The audit record of a run. */
export function RecordView({ record }: { readonly record: AuditRow }) {
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
    <section class="run-record" aria-labelledby="run-record">
      <div class="row">
        <h2 id="run-record">In the audit log</h2>
        {may('audit') && <a href={hrefOf('activity', [], { id })}>Show it in the log</a>}
      </div>
      <dl class="run-rows">
        {rows.map(([what, lines]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd class="mono">
              {lines.map((line) => (
                <span key={line} class="run-line">
                  {bdi(foreign(line))}
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
