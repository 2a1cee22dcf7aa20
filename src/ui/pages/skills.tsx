import { useEffect, useState } from 'preact/hooks';
import { grouped } from '../../core/text/text.ts';
import type { BrowseOutput, BrowseRow } from '../../engine/operations/skills/browse.ts';
import type { SearchHit } from '../../engine/searching/hits.ts';
import { ask } from '../api.ts';
import { entryNow } from '../history.ts';
import { revisions, scanInWords } from '../live.ts';
import { Ready } from '../parts/elements.tsx';
import { type Loaded, useLoaded, useReturn } from '../parts/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { hrefOf, route } from '../route.ts';
import { may } from '../session.ts';
import { goByArrows } from '../skills/arrows.ts';
import { chosenCount, type Filters, facetsOf, filtersOf, skippedState } from '../skills/facets.ts';
import { FilterPanel, ListStatus, SearchBox } from '../skills/filter-panel.tsx';
import { HitList } from '../skills/hits.tsx';
import { SkillList, SkippedFiles } from '../skills/list.tsx';
import { browseUpTo, type Hits, hitsIn, knownOf, pageSize, rowsNeeded, searchFor } from '../skills/load.ts';
import { DisabledSkills, type Selection, SelectionBar, useSelection } from '../skills/selection.tsx';
import { ViewBar } from '../skills/views.tsx';

/** The page of all skills: to browse, filter and search. */
export function Skills() {
  const filters = filtersOf(route.value.query);
  const [shown, showMore] = useShown(JSON.stringify({ ...filters, q: '' }));
  const wanted = rowsNeeded(filters, shown);
  const { q, ...facets } = filters;
  const news = revisions.skills.value;
  const listing = useLoaded((signal) => browseUpTo(filters, wanted, signal), [facets, wanted, news]);
  const found = useLoaded(
    async (signal) => (q === '' ? null : { q, ...(await searchFor(filters, signal)) }),
    [filters, news],
  );
  const { value: answer } = found;
  // The answer is shown as it comes; what the list knows of it follows.
  const known = useLoaded(
    async (signal) => (answer === null ? null : knownOf(answer, filters, signal)),
    [answer?.number, filters],
  );
  const hits = answer === null ? null : hitsIn(answer, known.value, filters);
  const isAnswered = answer?.q === q && hits !== null;
  const selection = useSelection();
  useReturn(q === '' ? listing.value !== null : isAnswered);
  const counts = (q === '' ? null : known.value?.fitting) ?? listing.value;
  const isEmpty = listing.value !== null && listing.value.all === 0;
  return (
    <>
      <div class="page-head">
        <h1>Skills</h1>
        <div class="row">
          {may('add') && (
            <a class="button" href={hrefOf('get')}>
              <Icon name="get" />
              Add
            </a>
          )}
          {may('new') && (
            <a class="button main" href={hrefOf('new')}>
              <Icon name="plus" />
              New skill
            </a>
          )}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the links inside. */}
      <div class={isEmpty ? 'skills none' : 'skills'} onKeyDown={goByArrows}>
        {counts !== null && !isEmpty && <FilterPanel facets={facetsOf(counts, filters)} filters={filters} />}
        <div class="skills-main">
          {!isEmpty && <SearchBox query={q} />}
          <Ready loaded={listing} slow={scanInWords()}>
            {(value) => (
              <>
                {!isEmpty && (
                  <div class="skills-tools">
                    <ListStatus listing={value} filters={filters} found={isAnswered ? fitting(hits) : null} />
                    {q === '' && filters.state !== skippedState && <ViewBar filters={filters} />}
                  </div>
                )}
                <SelectionBar selection={selection} again={listing.again} />
                {q === '' ? (
                  <Listed {...{ listing, value, filters, showMore, selection }} />
                ) : (
                  <Found found={found} hits={hits} rows={known.value?.rows ?? []} />
                )}
              </>
            )}
          </Ready>
        </div>
      </div>
    </>
  );
}

function fitting(hits: readonly SearchHit[]): number {
  return hits.filter(({ weak }) => !weak).length;
}

/**
 * Number of rows shown, and a function to show more; other filters reset it. The entry of the history keeps it for whoever
 * comes back.
 */
function useShown(key: string): [number, () => void] {
  const [state, setState] = useState(() => {
    const { kept } = entryNow();
    return isShown(kept) && kept.key === key ? kept : { key, shown: pageSize };
  });
  const shown = state.key === key ? state.shown : pageSize;
  const showMore = (): void => {
    const more = { key, shown: shown + pageSize };
    entryNow().kept = more;
    setState(more);
  };
  return [shown, showMore];
}

function isShown(kept: unknown): kept is { key: string; shown: number } {
  return typeof kept === 'object' && kept !== null && 'shown' in kept;
}

interface ListedProps {
  readonly listing: Loaded<BrowseOutput>;
  readonly value: BrowseOutput;
  readonly filters: Filters;
  readonly showMore: () => void;
  readonly selection: Selection;
}

function Listed({ listing, value, filters, showMore, selection }: ListedProps) {
  if (filters.state === skippedState) return <SkippedFiles skipped={value.skipped} />;
  const isWhole = chosenCount(filters) === 0;
  return (
    <>
      <SkillList
        listing={value}
        filters={filters}
        isLoading={listing.isLoading}
        showMore={showMore}
        selection={selection}
      />
      {value.disabled.length > 0 && isWhole && <DisabledSkills disabled={value.disabled} again={listing.again} />}
      {value.skipped.length > 0 && isWhole && <SkippedFiles skipped={value.skipped} />}
    </>
  );
}

interface FoundProps {
  readonly found: Loaded<Hits | null>;
  readonly hits: readonly SearchHit[] | null;
  readonly rows: readonly BrowseRow[];
}

function Found({ found, hits, rows }: FoundProps) {
  return (
    <div aria-busy={found.isLoading}>
      {found.value === null && found.isLoading && <IndexProgress />}
      <Ready loaded={found}>
        {(value) => value !== null && hits !== null && <HitList found={value} hits={hits} rows={rows} />}
      </Ready>
    </div>
  );
}

const lookMs = 500;

/** Progress of the index, while a first search waits for it. */
function IndexProgress() {
  const [index, setIndex] = useState<{ readonly ready: number; readonly total: number } | null>(null);
  useEffect(() => {
    if (!may('health')) return;
    const timer = setInterval(() => {
      ask('health', {}).then(
        (health) => setIndex(health.index),
        () => {},
      );
    }, lookMs);
    return () => clearInterval(timer);
  }, []);
  if (index === null || index.ready >= index.total) return null;
  return (
    <p class="skills-progress">
      Reading the skills for the first search: {grouped(index.ready)} of {grouped(index.total)}
      <progress aria-label="Skills that have been read" max={index.total} value={index.ready} />
    </p>
  );
}
