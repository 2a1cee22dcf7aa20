import type { ComponentType } from 'preact';
import type { OperationName } from '../../faces/web/operations.ts';
import { AllActivity } from '../activity/all.tsx';
import { Charts } from '../activity/charts.tsx';
import { type ActivityFilters, filtersOf } from '../activity/filters.ts';
import { hrefWithout } from '../activity/href.ts';
import { Runs } from '../activity/runs.tsx';
import { route } from '../route.ts';
import { may } from '../session.ts';

interface View {
  readonly id: string;
  readonly title: string;
  /** The operation that it shows. */
  readonly shows: OperationName;
  readonly Shown: ComponentType<{ readonly filters: ActivityFilters }>;
}

const all: View = { id: 'all', title: 'All activity', shows: 'activity', Shown: AllActivity };
const known: readonly View[] = [
  { id: 'runs', title: 'Audit log', shows: 'audit', Shown: Runs },
  all,
  { id: 'figures', title: 'Figures', shows: 'statistics', Shown: Charts },
];

/** The activity of the agents: run by run, all of it, and in figures. */
export function Activity() {
  const filters = filtersOf(route.value.query);
  const views = known.filter(({ shows }) => may(shows));
  const { id, title, Shown } = views.find((view) => view.id === filters.view) ?? views[0] ?? all;
  return (
    <>
      <h1>Activity</h1>
      <nav class="tabs activity-views" aria-label="Views">
        {views.map((view) => (
          <a
            key={view.id}
            href={hrefWithout(filters, { view: view.id })}
            aria-current={view.id === id ? 'page' : undefined}
          >
            {view.title}
          </a>
        ))}
      </nav>
      <section aria-labelledby="activity-view">
        <h2 id="activity-view" class="hidden">
          {title}
        </h2>
        <Shown key={id} filters={filters} />
      </section>
    </>
  );
}
