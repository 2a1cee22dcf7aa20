import { useState } from 'preact/hooks';
import { durationInWords } from '../../core/text/quantities.ts';
import type { ActivityOutput, ActivityRow } from '../../engine/operations/machine/activity.ts';
import { ask } from '../api.ts';
import { revisions } from '../live.ts';
import { asksInWords } from '../parts/asks.ts';
import { bdi, FollowSwitch, Ready } from '../parts/elements.tsx';
import { useCalm, useLoaded } from '../parts/hooks.ts';
import { foreignCut, fromHome } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';
import { FilterBar } from './filter-bar.tsx';
import { type ActivityFilters, chosen, kindWords } from './filters.ts';
import { hrefWithout } from './href.ts';
import { Moment, More } from './record.tsx';
import { activityOutcome } from './records.ts';

const longest = 200;

/** An activity in a sentence: a client searched, loaded or ran. */
function ActivityLine({ row }: { readonly row: ActivityRow }) {
  const { tone, text } = activityOutcome(row);
  return (
    <li>
      <Moment iso={row.time} />
      <span>{bdi(foreignCut(row.user === undefined ? row.client : `${row.user}, ${row.client}`, longest))}</span>
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

/** The object of an activity: the words of a search, a skill, a file or a tool of it. */
function Thing({ row: { what, skill, detail, execution } }: { readonly row: ActivityRow }) {
  if (what === 'searched') return <q>{shown(detail ?? '')}</q>;
  if (skill === null) return detail === null ? null : shown(detail);
  const isGrant = what === 'granted' || what === 'revoked';
  const more = detail === null ? null : shown(isGrant ? fromHome(asksInWords(detail)) : detail);
  return (
    <>
      <a href={hrefOf('skill', [skill])}>{shown(skill)}</a>
      {more !== null && ' '}
      {execution === null || !may('audit') ? (
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

const names = ['what', 'client', 'skill', 'since'] as const;
const step = 100;
const pauseMs = 1000;

/** All searches, loads, runs and grants with their clients; the newest first. */
export function AllActivity({ filters }: { readonly filters: ActivityFilters }) {
  const [limit, setLimit] = useState(step);
  const [follows, setFollows] = useState(true);
  const news = useCalm(revisions.activity.value + revisions.execution.value, pauseMs);
  const wanted = chosen(filters, names) as Parameters<typeof ask<'activity'>>[1];
  const loaded = useLoaded((signal) => ask('activity', { ...wanted, limit }, signal), [wanted, limit, follows && news]);
  return (
    <>
      <FilterBar label="Filters of the activity" filters={filters} names={names}>
        <FollowSwitch isOn={follows} change={setFollows} />
      </FilterBar>
      <div aria-busy={loaded.isLoading}>
        <Ready loaded={loaded}>
          {(output) => (
            <>
              <ActivityList output={output} filters={filters} />
              {output.rows.length >= limit && (
                <More isLoading={loaded.isLoading} more={() => setLimit(Math.min(10_000, limit + 2 * step))} />
              )}
            </>
          )}
        </Ready>
      </div>
    </>
  );
}

function ActivityList({ output, filters }: { readonly output: ActivityOutput; readonly filters: ActivityFilters }) {
  const { rows, kept } = output;
  return (
    <>
      {!kept && (
        <p class="notice warn">
          Searches and loads are not being logged: the setting <code>activity</code> is off. Runs are always written to
          the audit log.
        </p>
      )}
      {rows.length === 0 ? <NoActivity filters={filters} /> : <ActivityRows rows={rows} />}
    </>
  );
}

/** Activities, one in a line. */
export function ActivityRows({ rows }: { readonly rows: readonly ActivityRow[] }) {
  return (
    <>
      <p class="activity-heads activity-all-heads" aria-hidden="true">
        <span>Time</span>
        <span>Client</span>
        <span>What</span>
        <span>Outcome</span>
        <span>Took</span>
      </p>
      <ol class="activity-rows activity-all" aria-label="All activity">
        {keyed(rows).map(({ key, row }) => (
          <ActivityLine key={key} row={row} />
        ))}
      </ol>
    </>
  );
}

/** Gives rows keys, since they have none of their own; equal rows of one moment are told apart by a number. */
function keyed(rows: readonly ActivityRow[]): { readonly key: string; readonly row: ActivityRow }[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const own = row.execution ?? `${row.time} ${row.client} ${row.what} ${row.skill} ${row.detail}`;
    const count = seen.get(own) ?? 0;
    seen.set(own, count + 1);
    return { key: `${own} ${count}`, row };
  });
}

function NoActivity({ filters }: { readonly filters: ActivityFilters }) {
  if (names.some((name) => filters[name] !== '')) {
    return (
      <p class="notice">
        Nothing matches these filters. <a href={hrefWithout(filters)}>Show everything</a>
      </p>
    );
  }
  return (
    <div class="notice">
      <p>Nothing has happened yet. Here you see what each agent searches, loads and runs, as it happens.</p>
      <p>
        Connect your agents with <code>repertoire setup</code>, or try <code>repertoire search WORDS</code>.
      </p>
    </div>
  );
}
