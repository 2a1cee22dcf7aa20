import { useState } from 'preact/hooks';
import type { BrowseOutput } from '../../engine/operations/skills/browse.ts';
import { revisions } from '../live.ts';
import { Ready } from '../parts/elements.tsx';
import { type Loaded, useLoaded } from '../parts/hooks.ts';
import { route } from '../route.ts';
import { chosenCount, type Filters, facetsOf, filtersOf, skippedState } from '../skills/facets.ts';
import { FilterPanel, ListStatus, SearchBox } from '../skills/filter-panel.tsx';
import { HitList } from '../skills/hits.tsx';
import { SkillList, SkippedFiles } from '../skills/list.tsx';
import { browseUpTo, pageSize, rowsNeeded, searchFor } from '../skills/load.ts';

/** The page of all skills: to browse, filter and search. */
export function Skills() {
  const filters = filtersOf(route.value.query);
  const [shown, showMore] = useShown(JSON.stringify({ ...filters, q: '' }));
  const wanted = rowsNeeded(filters, shown);
  const { q: _, ...facets } = filters;
  const listing = useLoaded((signal) => browseUpTo(filters, wanted, signal), [facets, wanted, revisions.skills.value]);
  return (
    <>
      <h1>Skills</h1>
      <div class="skills">
        {listing.value !== null && <FilterPanel facets={facetsOf(listing.value, filters)} filters={filters} />}
        <div class="skills-main">
          <SearchBox query={filters.q} />
          <Ready loaded={listing}>
            {(value) => (
              <>
                <ListStatus listing={value} filters={filters} />
                <Results listing={listing} value={value} filters={filters} showMore={showMore} />
              </>
            )}
          </Ready>
        </div>
      </div>
    </>
  );
}

/** Number of rows shown, and a function to show more; other filters reset it. */
function useShown(key: string): [number, () => void] {
  const [state, setState] = useState({ key, shown: pageSize });
  const shown = state.key === key ? state.shown : pageSize;
  return [shown, () => setState({ key, shown: shown + pageSize })];
}

interface ResultsProps {
  readonly listing: Loaded<BrowseOutput>;
  readonly value: BrowseOutput;
  readonly filters: Filters;
  readonly showMore: () => void;
}

function Results({ listing, value, filters, showMore }: ResultsProps) {
  if (filters.state === skippedState) return <SkippedFiles skipped={value.skipped} />;
  if (filters.q !== '') return <Search filters={filters} rows={filters.state === '' ? null : value.rows} />;
  return (
    <>
      <SkillList listing={value} filters={filters} isLoading={listing.isLoading} showMore={showMore} />
      {value.skipped.length > 0 && chosenCount(filters) === 0 && <SkippedFiles skipped={value.skipped} />}
    </>
  );
}

function Search({ filters, rows }: { readonly filters: Filters; readonly rows: BrowseOutput['rows'] | null }) {
  const found = useLoaded((signal) => searchFor(filters, signal), [filters, revisions.skills.value]);
  return (
    <div aria-busy={found.isLoading}>
      <Ready loaded={found}>{(value) => <HitList found={value} rows={rows} />}</Ready>
    </div>
  );
}
