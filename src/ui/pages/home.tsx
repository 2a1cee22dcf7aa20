import { counted } from '../../core/text/text.ts';
import type { AttentionOutput } from '../../engine/operations/machine/attention.ts';
import { ActivityRows } from '../activity/all.tsx';
import { ask } from '../api.ts';
import { Inbox } from '../home/inbox.tsx';
import { Start } from '../home/start.tsx';
import { revisions, scanInWords } from '../live.ts';
import { Ready } from '../parts/elements.tsx';
import { useCalm, useLoaded } from '../parts/hooks.ts';
import { hrefOf } from '../route.ts';
import { may } from '../session.ts';

const pauseMs = 2000;
const lately = 8;

/** The first page: what waits for a person, and what happened lately. */
export function Home() {
  const news = useCalm(
    [revisions.skills, revisions.grants, revisions.execution].reduce((sum, { value }) => sum + value, 0),
    pauseMs,
  );
  const doings = useCalm(revisions.activity.value, pauseMs);
  const attention = useLoaded((signal) => ask('attention', {}, signal), [news]);
  const activity = useLoaded((signal) => ask('activity', { limit: lately, use: true }, signal), [news, doings]);
  return (
    <>
      <div class="page-head">
        <h1>Home</h1>
        {attention.value !== null && attention.value.skills > 0 && <Standing attention={attention.value} />}
      </div>
      <Ready loaded={attention} slow={scanInWords()}>
        {(value) => (
          <>
            {value.skills === 0 && <Start examples={value.examples} />}
            {(value.skills > 0 || value.items.length > 0) && <Inbox items={value.items} />}
          </>
        )}
      </Ready>
      {activity.value !== null && activity.value.rows.length > 0 && (
        <section aria-labelledby="home-lately">
          <div class="section-head">
            <h2 id="home-lately">Lately</h2>
            <a href={hrefOf('activity', [], { view: 'all' })}>All activity</a>
          </div>
          <ActivityRows rows={activity.value.rows} />
        </section>
      )}
    </>
  );
}

function Standing({ attention: { skills, connected } }: { readonly attention: AttentionOutput }) {
  return (
    <p>
      <a href={hrefOf('skills')}>{counted(skills, 'skill')}</a>
      {may('agents') && (
        <>
          , <a href={hrefOf('agents')}>{counted(connected, 'connected agent')}</a>
        </>
      )}
    </p>
  );
}
