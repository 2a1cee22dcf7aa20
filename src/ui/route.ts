import { computed, signal } from '@preact/signals';

/** The place in the console: all of it is behind the `#` of the address, which no server sees. */
export interface Route {
  readonly page: string;
  /** The parts of the address behind the page. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** An entry of the browser's history: how far it was scrolled, and what its page remembers of itself. */
interface Entry {
  scrollY: number;
  kept: unknown;
  /** Whether somebody came back to it. */
  isReturn: boolean;
}

const entries = new Map<number, Entry>();
const address = signal(location.hash);

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
addEventListener('hashchange', () => {
  const wasKnown = typeof history.state === 'number' && entries.has(history.state);
  current = entryNow();
  current.isReturn = wasKnown;
  address.value = location.hash;
});

export const route = computed(() => parseRoute(address.value));

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/').map(decoded);
  return { page: page || 'home', rest, query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a page, with a query of all values that are not empty. */
export function hrefOf(
  page: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const path = [page, ...rest].map(encodeURIComponent).join('/');
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${path}${text === '' ? '' : `?${text}`}`;
}

/** Changes the address without a new entry in the history. */
export function replaceRoute(href: string): void {
  history.replaceState(history.state, '', href);
  address.value = location.hash;
}
