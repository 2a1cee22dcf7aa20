import { signal } from '@preact/signals';
import { Icon, type IconName } from '../parts/icon.tsx';
import { replaceRoute } from '../route.ts';
import type { Filters } from './facets.ts';
import { hrefWith } from './filter-panel.tsx';

const views = ['cards', 'table'] as const;
export type View = (typeof views)[number];
const keptView = 'skills-view';

/** The view of the list, which the browser keeps. */
export const view = signal<View>(localStorage.getItem(keptView) === 'table' ? 'table' : 'cards');

const looks: Readonly<Record<View, { readonly icon: IconName; readonly title: string }>> = {
  cards: { icon: 'cards', title: 'Cards' },
  table: { icon: 'table', title: 'Table' },
};

const sorts: readonly { readonly value: string; readonly title: string }[] = [
  { value: '', title: 'Name' },
  { value: 'provider', title: 'Provider' },
  { value: 'tools', title: 'Most tools' },
];

/** The order and the view of the list. */
export function ViewBar({ filters }: { readonly filters: Filters }) {
  const choose = (chosen: View): void => {
    view.value = chosen;
    localStorage.setItem(keptView, chosen);
  };
  return (
    <div class="row skills-view">
      <label>
        <span class="quiet">Sort by</span>
        <select
          value={filters.sort}
          onChange={(event) => replaceRoute(hrefWith(filters, { sort: event.currentTarget.value }))}
        >
          {sorts.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="switch">
        <legend class="hidden">View</legend>
        {views.map((one) => (
          <button
            key={one}
            type="button"
            class="icon-button"
            aria-pressed={view.value === one}
            aria-label={looks[one].title}
            title={looks[one].title}
            onClick={() => choose(one)}
          >
            <Icon name={looks[one].icon} />
          </button>
        ))}
      </fieldset>
    </div>
  );
}
