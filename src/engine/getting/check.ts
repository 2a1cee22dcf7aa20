import { join } from 'node:path';
import type { Environment } from '../../core/environment.ts';
import { choice, type Infer, list, object, text } from '../../core/schema/schema.ts';
import { byText } from '../../core/text/text.ts';
import type { Lock, LockEntry } from '../../get/install/lock-file.ts';
import { folderNameOf, ownPlaces } from '../../get/install/places.ts';
import { agentHas, type Memory, presenceAt } from '../../get/install/presence.ts';
import { kept } from '../../get/install/store.ts';
import type { FolderDigest } from '../../run/policy/digest.ts';
import { mannerOf } from './locked.ts';

/** A difference between the lock file and what is installed. */
export const differenceSchema = object({
  name: text(),
  kind: choice(['missing', 'changed', 'place', 'unpinned', 'entry', 'source', 'blocked']),
  what: text('In words.'),
  files: list(text(), 'The files that differ, as far as that is known.'),
});
export type Difference = Infer<typeof differenceSchema>;

export interface Checking {
  readonly environment: Environment;
  /** The memory of what folders looked like when they were read: with it, unchanged files are not read again. */
  readonly memory?: Memory;
}

/** Compares a skill with its entry. */
export async function differencesOf(
  name: string,
  entry: LockEntry,
  { scope }: Lock,
  { environment, memory }: Checking,
): Promise<readonly Difference[]> {
  const folder = join(scope.skills, folderNameOf(name));
  const locked = entry.repertoire?.digest;
  const places = await placeDifferences(name, entry, folder, scope, environment);
  if (locked !== undefined && memory?.digestOf(folder) === locked) return places;
  const began = Date.now();
  const presence = await presenceAt(folder, entry);
  const difference = (kind: Difference['kind'], what: string, files: readonly string[] = []): readonly Difference[] => [
    { name, kind, what, files },
    ...places,
  ];
  if (presence.state === 'missing') {
    const copies = locked === undefined ? (await mannerOf(scope, name, entry, environment)).agents : [];
    return copies.length > 0 ? [] : difference('missing', `${folder} is missing`); // others install for one agent alone
  }
  if (presence.state === 'foreign') return difference('changed', `${folder} is not a folder of regular files`);
  if (presence.state === 'same') {
    memory?.remember(folder, presence, began);
    return places;
  }
  const base = locked === undefined ? null : await kept(environment, locked);
  const files = base === null ? [] : changedFiles(base, presence);
  return difference('changed', `${folder} was changed by hand`, files);
}

export function changedFiles(base: FolderDigest, now: FolderDigest): readonly string[] {
  const paths = new Set([...Object.keys(base.files), ...Object.keys(now.files)]);
  return [...paths].filter((path) => base.files[path] !== now.files[path]).sort(byText);
}

async function placeDifferences(
  name: string,
  entry: LockEntry,
  folder: string,
  scope: Lock['scope'],
  environment: Environment,
): Promise<readonly Difference[]> {
  if (entry.repertoire === undefined) return [];
  const { agents, copies } = await mannerOf(scope, name, entry, environment);
  const wanted = copies ? 'copy' : 'link';
  const found: Difference[] = [];
  for (const { path } of ownPlaces(agents, name, scope, environment)) {
    const { state } = await agentHas(path, folder, entry);
    if (state === wanted) continue;
    const what = state === 'missing' ? 'is missing' : `is something else than the ${wanted} that was put there`;
    found.push({ name, kind: 'place', what: `${path} ${what}`, files: [] });
  }
  return found;
}
