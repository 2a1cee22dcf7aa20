import { computed, signal } from '@preact/signals';
import { attempt } from '../core/attempt.ts';

/** The place in the console: all of it is behind the `#` of the address, which no server sees. */
export interface Route {
  readonly page: string;
  /** The parts of the address behind the page. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

const address = signal(location.hash);
addEventListener('hashchange', () => {
  address.value = location.hash;
});

export const route = computed(() => parseRoute(address.value));

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/').map(decoded);
  return { page: page || 'home', rest, query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  return attempt(() => decodeURIComponent(part), part);
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

/** The address of a line of a file of a skill. */
export function placeHref(skill: string, path: string, line: number | null): string {
  return hrefOf('skill', [skill, 'file', ...path.split('/')], { line: line === null ? '' : `${line}`, view: 'source' });
}

/** Changes the address without a new entry in the history. */
export function replaceRoute(href: string): void {
  history.replaceState(history.state, '', href);
  address.value = location.hash;
}
