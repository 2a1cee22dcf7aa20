import { useEffect, useRef } from 'preact/hooks';
import { useTyped } from '../parts/typed.ts';
import { replaceRoute, route } from '../route.ts';
import { filtersOf } from './filters.ts';
import { hrefWith } from './href.ts';

const pauseMs = 120;

/** Searches as one types. What was typed goes into the address after a short pause. */
export function SearchBox({ query }: { readonly query: string }) {
  const box = useRef<HTMLInputElement>(null);
  const send = (q: string): void => replaceRoute(hrefWith(filtersOf(route.value.query), { q }));
  const { text, setText } = useTyped(query, send, pauseMs);
  useSlashKey(box);
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
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
    </search>
  );
}

/** `/` goes to the box, unless somebody is writing. */
function useSlashKey(box: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { target } = event;
      const isWriting =
        target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [box]);
}
