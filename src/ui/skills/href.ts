import { hrefOf } from '../route.ts';
import type { Filters } from './filters.ts';

/** The address of the list with something changed. */
export function hrefWith(filters: Filters, change: Partial<Filters>): string {
  return hrefOf('skills', [], { ...filters, ...change });
}

/** What is left when every facet is taken away: the words that were searched for. */
export function hrefWithout({ q }: Filters): string {
  return hrefOf('skills', [], { q });
}
