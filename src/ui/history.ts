/** An entry of the browser's history: how far it was scrolled, and what its page remembers of itself. */
interface Entry {
  scrollY: number;
  kept: unknown;
  /** Whether somebody came back to it. */
  isReturn: boolean;
}

const entries = new Map<number, Entry>();

/** The entry of the address as it is. The browser keeps its number for as long as it is in the history. */
export function entryNow(): Entry {
  const { state } = history;
  const known = typeof state === 'number' ? entries.get(state) : undefined;
  if (known !== undefined) return known;
  const number = Math.max(0, ...entries.keys()) + 1;
  const fresh: Entry = { scrollY: 0, kept: null, isReturn: false };
  entries.set(number, fresh);
  history.replaceState(number, '');
  return fresh;
}

// The page restores the place itself, when what was there has been loaded again.
history.scrollRestoration = 'manual';
let current = entryNow();
addEventListener('scroll', () => {
  current.scrollY = scrollY;
});
// Captured, to be told before whoever draws the page.
addEventListener(
  'hashchange',
  () => {
    const wasKnown = typeof history.state === 'number' && entries.has(history.state);
    current = entryNow();
    current.isReturn = wasKnown;
  },
  { capture: true },
);
