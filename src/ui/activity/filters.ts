import type { ActivityKind } from '../../engine/operations/machine/activity.ts';
import type { AuditChange, AuditGrant } from '../../engine/operations/running/audit.ts';
import type { ExitReason } from '../../engine/running/types.ts';

/** Filters of the activity. All are in the address, so that it can be shared, and survives a reload. */
const names = ['view', 'span', 'what', 'skill', 'tool', 'result', 'client', 'since', 'id'] as const;
type FilterName = (typeof names)[number];

/** Values of the filters; empty where nothing was chosen. */
export type ActivityFilters = Readonly<Record<FilterName, string>>;

export function filtersOf(query: URLSearchParams): ActivityFilters {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as ActivityFilters;
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export const spans: readonly Choice[] = [
  { value: '1h', text: '1 hour' },
  { value: '24h', text: '24 hours' },
  { value: '7d', text: '7 days' },
  { value: '30d', text: '30 days' },
];

/** The span that the charts cover. One that is not offered would be a mistake in the address. */
export function spanOf({ span }: ActivityFilters): Choice {
  const usual = { value: '7d', text: '7 days' };
  return spans.find(({ value }) => value === span) ?? usual;
}

/** Words for all states of an execution or a grant. */
export const resultWords: Readonly<
  Record<ExitReason | AuditGrant['result'] | AuditChange['result'] | 'running', string>
> = {
  exited: 'ended by itself',
  denied: 'denied',
  invalid_parameters: 'invalid parameters',
  not_found: 'no such skill or tool',
  timeout: 'timed out',
  memory: 'out of memory',
  output_limit: 'too much output',
  process_limit: 'too many processes',
  file_limit: 'file too large',
  scratch_limit: 'scratch folder full',
  cancelled: 'cancelled',
  lost: 'lost',
  worker_lost: 'worker lost',
  no_worker: 'no worker',
  busy: 'busy',
  engine_error: 'sandbox failed',
  running: 'running',
  granted: 'granted',
  narrowed: 'grant narrowed',
  revoked: 'grant revoked',
  allowed: 'allowed after a scan',
  not_granted: 'not granted',
  requested: 'waits for a second person',
  changed: 'changed',
  not_changed: 'not changed',
};

export const kindWords: Readonly<Record<ActivityKind, string>> = {
  searched: 'searched',
  loaded: 'loaded',
  ran: 'ran',
  granted: 'granted',
  revoked: 'revoked',
  edited: 'edited',
  changed: 'changed what is set up',
};

/** The chosen filters, as parameters of the request. */
export function chosen<N extends FilterName>(
  filters: ActivityFilters,
  wanted: readonly N[],
): Partial<Record<N, string>> {
  const given = wanted.filter((name) => filters[name] !== '');
  return Object.fromEntries(given.map((name) => [name, filters[name]])) as Partial<Record<N, string>>;
}
