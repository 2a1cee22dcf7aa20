import { useEffect, useRef, useState } from 'preact/hooks';
import type { BrowseOutput } from '../../engine/operations/browse.ts';
import { counted, grouped } from '../../kernel/text.ts';
import { changeInWords } from './changes.ts';
import { type Filters, skippedState } from './filters.ts';
import { hrefWith } from './href.ts';

const newsMs = 8000;

/** How many there are, and what has just changed. Said politely to those who listen. */
export function ListStatus({ listing, filters }: { readonly listing: BrowseOutput; readonly filters: Filters }) {
  const news = useNews(listing);
  const { total, all, skipped } = listing;
  const isNarrowed = total !== all;
  return (
    <div class="row skills-status">
      <p role="status">
        {filters.q === '' && (isNarrowed ? `${grouped(total)} of ${counted(all, 'skill')}` : counted(all, 'skill'))}
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

/** What the list became since it was last seen, for a few seconds. */
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
