import type { ActivityRow } from '../../engine/operations/activity.ts';
import { durationInWords } from '../../kernel/quantities.ts';
import { foreignCut } from '../parts/foreign.ts';
import { hrefOf } from '../route.ts';
import { kindWords } from './filters.ts';
import { Moment } from './moment.tsx';
import { activityOutcome } from './words.ts';

const longest = 200;

/** Something that happened, in a sentence: a client searched, loaded or ran. */
export function ActivityLine({ row }: { readonly row: ActivityRow }) {
  const { tone, text } = activityOutcome(row);
  return (
    <li>
      <Moment iso={row.time} />
      <span>
        <bdi>{foreignCut(row.client, longest)}</bdi>
      </span>
      <span class="activity-what">
        {kindWords[row.what] ?? row.what} <Thing row={row} />
      </span>
      <span>
        <span class={`badge ${tone}`}>{foreignCut(text, longest)}</span>
      </span>
      <span class="activity-number">
        <span class="hidden">took </span>
        {durationInWords(row.durationMs)}
      </span>
    </li>
  );
}

/** What it was done with: words that were looked for, a skill, a file or a tool of it. */
function Thing({ row: { what, skill, detail, execution } }: { readonly row: ActivityRow }) {
  if (what === 'searched') return <q>{shown(detail ?? '')}</q>;
  if (skill === null) return detail === null ? null : shown(detail);
  const more = detail === null ? null : shown(detail);
  return (
    <>
      <a href={hrefOf('skill', [skill])}>{shown(skill)}</a>
      {more !== null && ' '}
      {execution === null ? (
        more && <span class="mono">{more}</span>
      ) : (
        <a href={hrefOf('activity', [], { id: execution })}>
          {more} <span class="hidden">record</span>
        </a>
      )}
    </>
  );
}

function shown(text: string) {
  return <bdi>{foreignCut(text, longest)}</bdi>;
}
