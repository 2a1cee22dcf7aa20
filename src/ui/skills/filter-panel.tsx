import { useEffect, useRef, useState } from 'preact/hooks';
import { counted, grouped } from '../../core/text/text.ts';
import type { BrowseOutput } from '../../engine/operations/skills/browse.ts';
import { isWriting } from '../frame/keys.ts';
import { bdi } from '../parts/elements.tsx';
import { useTyped } from '../parts/hooks.ts';
import { foreignCut } from '../parts/words.ts';
import { hrefOf, replaceRoute, route } from '../route.ts';
import { chosenCount, type Facet, type Filters, filtersOf, skippedState } from './facets.ts';
import { changeInWords } from './load.ts';

/** The address of the list with some filters changed. */
export function hrefWith(filters: Filters, change: Partial<Filters>): string {
  return hrefOf('skills', [], { ...filters, ...change });
}

/** The address without any facet: only the words of the search are left. */
export function hrefWithout({ q, sort }: Filters): string {
  return hrefOf('skills', [], { q, sort });
}

/** Number of values of a facet that are shown until somebody asks for all. */
const few = 8;
const longestLabel = 80;

/** The facets. Each choice is a link, which can be opened, shared and gone back from like any other. */
export function FilterPanel({ facets, filters }: { readonly facets: readonly Facet[]; readonly filters: Filters }) {
  const count = chosenCount(filters);
  const [isOpen] = useState(() => matchMedia('(min-width: 68rem)').matches);
  return (
    <details class="skills-filters" open={isOpen}>
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
                {bdi(foreignCut(label, longestLabel))} <span class="skills-count">{grouped(count)}</span>
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

/** Milliseconds after a key until it is searched for: shorter than between the keys of a person who types. */
const pauseMs = 15;

/** A box that searches as one types. The text goes into the address after a short pause. */
export function SearchBox({ query }: { readonly query: string }) {
  const box = useRef<HTMLInputElement>(null);
  const send = (q: string): void => replaceRoute(hrefWith(filtersOf(route.value.query), { q }));
  const { text, setText } = useTyped(query, send, pauseMs);
  useSlashKey(box);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setText('');
  };
  return (
    <search class="skills-search">
      <label for="skills-query">Search the skills</label>
      <input
        id="skills-query"
        ref={box}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder="In your own words"
        value={text}
        aria-keyshortcuts="/"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
    </search>
  );
}

/** Makes `/` focus the box, unless somebody is typing. */
function useSlashKey(box: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [box]);
}

const newsMs = 8000;

interface StatusProps {
  readonly listing: BrowseOutput;
  readonly filters: Filters;
  /** The number of hits that fit, during a search. */
  readonly found: number | null;
}

/** The number of skills, and the latest change, in a polite live region. */
export function ListStatus({ listing, filters, found }: StatusProps) {
  const news = useNews(listing);
  const { total, all, skipped } = listing;
  const inList = total === all ? counted(all, 'skill') : `${grouped(total)} of ${counted(all, 'skill')}`;
  const fitting = found === null ? 'Searching …' : `${counted(found, 'skill')} ${found === 1 ? 'fits' : 'fit'}`;
  return (
    <div class="row skills-status">
      <p role="status">
        {filters.q === '' ? inList : fitting}
        {news !== null && (
          <>
            {' '}
            <span class="badge good">{news}</span>
          </>
        )}
      </p>
      {skipped.length > 0 && filters.state !== skippedState && (
        <a href={hrefWith(filters, { state: skippedState, q: '' })}>{counted(skipped.length, 'skipped file')}</a>
      )}
    </div>
  );
}

/** The change of the list since it was last seen, for a few seconds. */
function useNews({ all, revision }: BrowseOutput): string | null {
  const [news, setNews] = useState<string | null>(null);
  const before = useRef({ all, revision });
  useEffect(() => {
    const change = changeInWords(before.current, { all, revision });
    before.current = { all, revision };
    if (change === null) return;
    setNews(change);
    const timer = setTimeout(() => setNews(null), newsMs);
    return () => clearTimeout(timer);
  }, [all, revision]);
  return news;
}
