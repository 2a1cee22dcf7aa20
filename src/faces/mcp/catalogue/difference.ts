import { type CatalogueSkill, catalogueOf } from '../../../engine/catalogue.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';

/**
 * Returns a function that describes how the catalogue differs from that of the snapshot before; null where it does not.
 */
export function createDifference(start: Snapshot | undefined): (snapshot: Snapshot) => string | null {
  let before = start;
  return (snapshot) => {
    const difference = before === undefined ? 'the skills have been read' : differenceBetween(before, snapshot);
    before = snapshot;
    return difference;
  };
}

function differenceBetween(before: Snapshot, after: Snapshot): string | null {
  const [old, now] = [catalogueOf(before), catalogueOf(after)];
  const known = new Map(old.map((entry) => [entry.name, entry]));
  let [added, changed] = [0, 0];
  for (const entry of now) {
    const earlier = known.get(entry.name);
    if (earlier === undefined) added++;
    else if (!looksLike(earlier, entry)) changed++;
  }
  const removed = old.length + added - now.length;
  const parts = [
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
  ] as const;
  const changes = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return changes.length === 0 ? null : changes.join(', ');
}

/**
 * Whether two skills look the same in a catalogue. A change below the front matter matters to those who load the text,
 * not to those who choose.
 */
function looksLike(a: CatalogueSkill, b: CatalogueSkill): boolean {
  return a.description === b.description && a.location === b.location && a.provider === b.provider;
}
