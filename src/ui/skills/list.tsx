import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BrowseOutput } from '../../engine/operations/browse.ts';
import { chosenCount, type Filters } from './filters.ts';
import { hrefWithout } from './href.ts';
import { pageSize } from './load.ts';
import { SkillRow } from './row.tsx';

export interface SkillListProps {
  readonly listing: BrowseOutput;
  readonly filters: Filters;
  readonly isLoading: boolean;
  readonly showMore: () => void;
}

/** The skills page by page. Whoever asks for more is taken to the first that is new. */
export function SkillList({ listing, filters, isLoading, showMore }: SkillListProps) {
  const list = useRef<HTMLUListElement>(null);
  const next = useRef<number | null>(null);
  const { rows, total } = listing;
  useLayoutEffect(() => {
    if (next.current === null || rows.length <= next.current) return;
    list.current?.querySelectorAll<HTMLElement>(':scope > li h2 a')[next.current]?.focus();
    next.current = null;
  }, [rows.length]);
  const more = (): void => {
    next.current = rows.length;
    showMore();
  };
  if (total === 0) return <NoSkills filters={filters} isEmpty={listing.all === 0} />;
  return (
    <>
      <ul class="skills-list" ref={list} aria-label="Skills">
        {rows.map((row) => (
          <SkillRow key={row.file} row={row} />
        ))}
      </ul>
      {rows.length < total && (
        <button type="button" class="skills-more" disabled={isLoading && next.current !== null} onClick={more}>
          Show {Math.min(pageSize, total - rows.length)} more
        </button>
      )}
    </>
  );
}

function NoSkills({ filters, isEmpty }: { readonly filters: Filters; readonly isEmpty: boolean }) {
  if (!isEmpty && chosenCount(filters) > 0) {
    return (
      <p class="notice">
        No skill matches these filters. <a href={hrefWithout(filters)}>Show all skills</a>
      </p>
    );
  }
  return (
    <div class="notice">
      <p>There are no skills yet. A skill is a folder with a file SKILL.md, below one that your agents search.</p>
      <p>
        To write the first: <code>repertoire new my-skill</code>. To see which folders are searched:{' '}
        <code>repertoire doctor</code>.
      </p>
    </div>
  );
}
