import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf } from '../kernel/files.ts';
import { orphansIn, removeFolder } from './linux/owner.ts';

/** What the names of unfinished copies begin with, before the process that makes them. */
export const draftPrefix = 'draft-';
/** The file beside a copy that says how large it is. */
export const bytesFile = 'bytes';

const day = 24 * 60 * 60 * 1000;
/** Nobody has run such a skill, as it was then, for a while. */
const oldMs = 7 * day;
/** No run takes so long, unless the operator allows it, so that none sees its files go. */
const inUseMs = 2 * 60 * 60 * 1000;
const mostBytes = 1024 ** 3;

/** Removes copies that nobody uses any more, those unused for longest where all together are too large, and unfinished ones. */
export function removeOldCopies(base: string, now = Date.now()): void {
  for (const orphan of orphansIn(base, draftPrefix)) removeFolder(orphan);
  const entries = entriesOf(base);
  const names = entries.ok ? entries.value.map(({ name }) => name).filter((name) => /^[0-9a-f]{64}$/.test(name)) : [];
  const copies = names.map((name) => lookAt(join(base, name))).sort((one, other) => other.usedAt - one.usedAt);
  let bytes = 0;
  for (const { place, usedAt, size } of copies) {
    bytes += size;
    const age = now - usedAt;
    if (age > oldMs || (bytes > mostBytes && age > inUseMs)) removeFolder(place);
  }
}

function lookAt(place: string): { readonly place: string; readonly usedAt: number; readonly size: number } {
  try {
    return { place, usedAt: statSync(place).mtimeMs, size: Number(readFileSync(join(place, bytesFile), 'latin1')) };
  } catch {
    return { place, usedAt: 0, size: 0 };
  }
}
