import { useState } from 'preact/hooks';
import { grouped } from '../../kernel/text.ts';
import { foreignCut } from '../parts/foreign.ts';
import type { Facet } from './facets.ts';
import { chosenCount, type Filters } from './filters.ts';
import { hrefWith, hrefWithout } from './href.ts';

/** So many values of a facet are shown until somebody asks for all. */
const few = 8;
const longestLabel = 80;
const roomForBoth = matchMedia('(min-width: 56rem)').matches;

/** Each choice is a link: what it leads to can be opened, shared and gone back from like any other. */
export function FilterPanel({ facets, filters }: { readonly facets: readonly Facet[]; readonly filters: Filters }) {
  const count = chosenCount(filters);
  return (
    <details class="skills-filters" open={roomForBoth}>
      <summary>Filters{count > 0 && ` (${count})`}</summary>
      <nav aria-label="Filters">
        {count > 0 && <a href={hrefWithout(filters)}>Clear the filters</a>}
        {facets.map((facet) => (
          <FacetChoices key={facet.name} facet={facet} filters={filters} />
        ))}
      </nav>
    </details>
  );
}

function FacetChoices({ facet, filters }: { readonly facet: Facet; readonly filters: Filters }) {
  const [showsAll, setShowsAll] = useState(false);
  const { name, title, values } = facet;
  const shown = showsAll ? values : values.filter(({ value }, place) => place < few || value === filters[name]);
  const id = `skills-facet-${name}`;
  return (
    <>
      <h2 id={id}>{title}</h2>
      <ul aria-labelledby={id}>
        {shown.map(({ value, label, count }) => {
          const isChosen = filters[name] === value;
          return (
            <li key={value}>
              <a
                href={hrefWith(filters, { [name]: isChosen ? '' : value })}
                aria-current={isChosen ? 'true' : undefined}
              >
                <bdi>{foreignCut(label, longestLabel)}</bdi> <span class="skills-count">{grouped(count)}</span>
              </a>
            </li>
          );
        })}
      </ul>
      {shown.length < values.length && (
        <button type="button" class="skills-all" onClick={() => setShowsAll(true)}>
          Show all {values.length} <span class="hidden">of {title}</span>
        </button>
      )}
    </>
  );
}
