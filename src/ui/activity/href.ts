import { hrefOf } from '../route.ts';
import type { ActivityFilters } from './filters.ts';

export function hrefWith(filters: ActivityFilters, change: Partial<ActivityFilters>): string {
  return hrefOf('activity', [], { ...filters, ...change });
}

const unfiltered = { what: '', skill: '', tool: '', result: '', client: '', since: '', id: '' };

/** The address without any filter: only the view and the span of the charts are left. */
export function hrefWithout(filters: ActivityFilters, change: Partial<ActivityFilters> = {}): string {
  return hrefWith(filters, { ...unfiltered, ...change });
}
