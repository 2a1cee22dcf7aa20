import type { GrantRecord } from '../../engine/operations/running/grants.ts';
import type { InspectPermissions } from '../../engine/operations/skills/inspect.ts';

export { type Action, useAction } from '../parts/action.ts';

export type Item = InspectPermissions['items'][number];

/** A capability to decide on. */
export interface Asked extends Item {
  /** Whether it is new: not asked for when the grant that no longer holds was given. */
  readonly isNew: boolean;
}

export function askedIn({ items, grant }: InspectPermissions, record: GrantRecord | null): readonly Asked[] {
  const before =
    grant === null || grant.valid || record === null ? null : keysOf([...record.items, ...record.withheld]);
  return items
    .filter(({ free }) => !free)
    .map((item) => ({ ...item, isNew: before !== null && !before.has(item.key) }));
}

/**
 * The initial ticks: the granted items; where a change has revoked those, the ones that were granted and are still
 * asked for; and where nothing ever was, everything.
 */
export function tickedAtFirst(
  asked: readonly Asked[],
  { grant }: InspectPermissions,
  record: GrantRecord | null,
): ReadonlySet<string> {
  if (grant === null) return keysOf(asked);
  if (grant.valid) return keysOf(asked.filter(({ granted }) => granted));
  const before = keysOf(record?.items ?? asked);
  return keysOf(asked.filter(({ key }) => before.has(key)));
}

/** Whether the ticked items are exactly the granted ones. */
export function isHeld(asked: readonly Asked[], ticked: ReadonlySet<string>, { grant }: InspectPermissions): boolean {
  return grant?.valid === true && asked.every(({ key, granted }) => granted === ticked.has(key));
}

function keysOf(items: readonly { readonly key: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ key }) => key));
}

/** The label of the button. */
export function grantWords(ticked: number, all: number): string {
  if (ticked === 0) return 'Grant nothing';
  return ticked === all ? `Grant ${all === 1 ? 'it' : `all ${all}`}` : `Grant ${ticked} of ${all}`;
}
