import { hrefOf } from '../route.ts';
import type { ActivityFilters } from './filters.ts';

export function hrefWith(filters: ActivityFilters, change: Partial<ActivityFilters>): string {
  return hrefOf('activity', [], { ...filters, ...change });
}

const unfiltered = { what: '', skill: '', tool: '', result: '', client: '', since: '', id: '' };

/** What is left when every filter is taken away: the view, and the span of the charts. */
export function hrefWithout(filters: ActivityFilters, change: Partial<ActivityFilters> = {}): string {
  return hrefWith(filters, { ...unfiltered, ...change });
}
