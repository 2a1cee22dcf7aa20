import type { AuditRow } from '../../engine/operations/audit.ts';
import { callerOf } from '../activity/words.ts';
import { foreign } from '../parts/foreign.ts';
import { moment } from '../parts/words.ts';
import { hrefOf } from '../route.ts';

/** What the audit log has of a run. */
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
