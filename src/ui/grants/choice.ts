import type { GrantRecord } from '../../engine/operations/running/grants.ts';
import type { InspectPermissions } from '../../engine/operations/skills/inspect.ts';

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

/** The ticks at first: what is granted now. A grant that is still to be given begins with none. */
export function tickedAtFirst(asked: readonly Asked[], { grant }: InspectPermissions): ReadonlySet<string> {
  return keysOf(grant?.valid ? asked.filter(({ granted }) => granted) : []);
}

/** The items that were granted before a change ended the grant, and are still asked for. */
export function hadBefore(asked: readonly Asked[], record: GrantRecord | null): ReadonlySet<string> {
  const before = keysOf(record?.items ?? []);
  return keysOf(asked.filter(({ key }) => before.has(key)));
}

/** Sorts of capabilities, the riskiest first: what gives most away, or changes most, is read first. */
const sorts: readonly { readonly form: RegExp; readonly isApart?: true }[] = [
  { form: /^secrets:/, isApart: true },
  { form: /^network:\*/, isApart: true },
  { form: /^filesystem:write:/ },
  { form: /^commands:/ },
  { form: /^images:/ },
  { form: /^network:/ },
  { form: /^filesystem:read:/ },
  { form: /^env:/ },
];

function riskOf({ key }: Item): number {
  const place = sorts.findIndex(({ form }) => form.test(key));
  return place === -1 ? sorts.length : place;
}

/** The items by risk, with secrets and wildcards apart: those are decided on one by one. */
export function byRisk(asked: readonly Asked[]): { readonly apart: readonly Asked[]; readonly rest: readonly Asked[] } {
  const sorted = asked.toSorted((one, other) => riskOf(one) - riskOf(other));
  const isApart = (item: Asked): boolean => sorts[riskOf(item)]?.isApart === true;
  return { apart: sorted.filter(isApart), rest: sorted.filter((item) => !isApart(item)) };
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
  if (ticked === 0) return 'Grant';
  return ticked === all ? `Grant ${all === 1 ? 'it' : `all ${all}`}` : `Grant ${ticked} of ${all}`;
}
