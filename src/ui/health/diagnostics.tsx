import { useState } from 'preact/hooks';
import type { DoctorOutput } from '../../engine/operations/doctor.ts';
import { counted } from '../../kernel/text.ts';
import { foreignCut } from '../parts/foreign.ts';
import { groupsOf, type SeverityGroup, whereOf } from './groups.ts';

const few = 100;
const longest = 2000;

/** Everything that was noticed, the gravest first, each with what to do about it. */
export function Diagnostics({ diagnostics }: Pick<DoctorOutput, 'diagnostics'>) {
  const groups = groupsOf(diagnostics);
  return (
    <section aria-labelledby="health-diagnostics">
      <h2 id="health-diagnostics">Diagnostics</h2>
      {groups.length === 0 && <p class="notice good">No problems: every skill is as it should be.</p>}
      {groups.map((group) => (
        <Group key={group.severity} group={group} />
      ))}
    </section>
  );
}

function Group({ group }: { readonly group: SeverityGroup }) {
  const [showsAll, setShowsAll] = useState(false);
  const { severity, tone, one, diagnostics } = group;
  const shown = showsAll ? diagnostics : diagnostics.slice(0, few);
  return (
    <details class="card health-group" open={severity !== 'info'}>
      <summary>
        <span class={`badge ${tone}`}>{counted(diagnostics.length, one)}</span>
      </summary>
      <ul class="health-diagnostics" aria-label={`${one}s`}>
        {shown.map((found, place) => (
          <li key={place}>
            <p>
              <bdi>{foreignCut(found.message, longest)}</bdi> <span class="quiet mono">{found.code}</span>
            </p>
            <p class="mono quiet">
              <bdi>{foreignCut(whereOf(found), longest)}</bdi>
            </p>
            <p>
              <bdi>{foreignCut(found.remedy, longest)}</bdi>
            </p>
          </li>
        ))}
      </ul>
      {shown.length < diagnostics.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show all {counted(diagnostics.length, one)}
        </button>
      )}
    </details>
  );
}
