import { readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { entriesOf, linkStatOf, realPathOf } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { putFile } from '../../core/disk/replace.ts';
import { everythingIn, matchesSignatures, signatureText } from '../../core/disk/signature.ts';
import type { Environment } from '../../core/environment.ts';
import { readJson } from '../../core/formats/documents.ts';
import { count, type Infer, literal, map, nullable, object, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { digestFiles, type FolderDigest } from '../../run/policy/digest.ts';
import type { LockEntry } from './lock-file.ts';
import type { Scope } from './places.ts';
import { fieldHashOf, gitTreeOf, type Kept } from './store.ts';

/**
 * What is in the place of a skill: nothing, the files that the lock file says, files that somebody has changed since, or
 * something that is not in the lock file.
 */
export type Presence =
  | { readonly state: 'missing' }
  | { readonly state: 'same' | 'changed'; readonly digest: string; readonly files: FolderDigest['files'] }
  | { readonly state: 'foreign'; readonly digest: string | null };

/** Looks at the folder of a skill, and reads all its files. */
export async function presenceAt(folder: string, entry: LockEntry | undefined): Promise<Presence> {
  const stats = linkStatOf(folder);
  if (!stats.ok) return { state: 'missing' };
  if (!stats.value.isDirectory()) return { state: 'foreign', digest: null };
  const now = await digestFiles(folder);
  if (entry === undefined) return { state: 'foreign', digest: now.digest };
  return { state: isAsLocked(entry, { ...now, folder }) ? 'same' : 'changed', ...now };
}

/** Whether a folder has the files that an entry says, by our digest or by the hash of whoever wrote the entry. */
export function isAsLocked(entry: LockEntry, now: Kept): boolean {
  const { repertoire, computedHash, skillFolderHash } = entry;
  if (repertoire !== undefined) return now.digest === repertoire.digest;
  const hash = computedHash ?? skillFolderHash;
  return hash === (hash?.length === 40 ? gitTreeOf(now) : fieldHashOf(now));
}

/** The content of a place in an agent's own folder: nothing, our link or copy, or something else. */
export interface AgentHas {
  readonly state: 'missing' | 'link' | 'copy' | 'foreign';
  /** The digest of a copy. */
  readonly digest: string | null;
}

/** Looks at the place of a skill in an agent's own folder; `target` is its one real copy. */
export async function agentHas(place: string, target: string, entry: LockEntry | undefined): Promise<AgentHas> {
  const stats = linkStatOf(place);
  if (!stats.ok) return { state: 'missing', digest: null };
  const meant = realPathOf(target);
  const real = realPathOf(place);
  const leadsTo = real.ok
    ? real.value
    : stats.value.isSymbolicLink()
      ? resolve(dirname(place), readlinkSync(place))
      : place;
  // A folder that is reached through a link to the shared one is the skill itself.
  if (leadsTo === (meant.ok ? meant.value : target)) return { state: 'link', digest: null };
  if (!stats.value.isDirectory() || entry === undefined) return { state: 'foreign', digest: null };
  const now = await digestFiles(place);
  return { state: isAsLocked(entry, { ...now, folder: place }) ? 'copy' : 'foreign', digest: now.digest };
}

const seenSchema = object({
  version: literal(2),
  base: text(),
  /** The lock file and the links to skills when all was as it says, and the number of skills in it. */
  whole: nullable(object({ count: count(), look: text() })),
  skills: map(object({ digest: text(), look: text() })),
});
type Seen = Infer<typeof seenSchema>;

/**
 * What folders looked like when they were last read whole, so that a look at each file tells whether they still are what
 * they were. For commands that must be quick; `verify` reads every byte.
 */
export interface Memory {
  /** The digest of a folder that looks as it did; null where it must be read. */
  digestOf(folder: string): string | null;
  remember(folder: string, now: FolderDigest, began: number): void;
  /** The number of skills in the lock file, where nothing has changed since all was found as it says; null otherwise. */
  count(): number | null;
  /** Remembers that all was found as the lock file says; the paths are those of the file and of links to skills. */
  rememberAll(folders: readonly string[], paths: readonly string[], began: number): void;
  /** Forgets that all was as the lock file says, because that is about to be written. */
  forget(): void;
  save(): void;
}

function seenFolder(environment: Environment): string {
  return join(stateFolder(environment), 'get', 'seen');
}

/** The folders of all projects in which skills were installed, and home, as far as that is remembered. */
export function knownBases(environment: Environment): readonly string[] {
  const folder = seenFolder(environment);
  const entries = entriesOf(folder);
  return (entries.ok ? entries.value : []).flatMap(({ name }) => {
    const found = readJson(join(folder, name));
    const seen = found.kind === 'value' ? read(seenSchema, found.value) : null;
    return seen?.ok ? [seen.value.base] : [];
  });
}

export function createMemory(environment: Environment, { base }: Scope): Memory {
  // Two folders of one name only forget what the other has seen; a hash would load the module for it at every check.
  const file = join(seenFolder(environment), `${base.replace(/[^\w.-]+/g, '_').slice(-120)}.json`);
  const found = readJson(file);
  const before = found.kind === 'value' ? read(seenSchema, found.value) : null;
  const seen = before?.ok && before.value.base === base ? before.value : { skills: {}, whole: null };
  const skills = new Map(Object.entries<Seen['skills'][string]>(seen.skills));
  let { whole }: Pick<Seen, 'whole'> = seen;
  let hasChanged = false;
  return {
    digestOf(folder) {
      const skill = skills.get(folder);
      return skill !== undefined && matchesSignatures(skill.look) ? skill.digest : null;
    },
    remember(folder, { digest, files }, began) {
      const look = signatureText(everythingIn(folder, Object.keys(files)), began);
      if (look === null) skills.delete(folder);
      else skills.set(folder, { digest, look });
      hasChanged = true;
    },
    count: () =>
      whole !== null &&
      matchesSignatures(whole.look) &&
      [...skills.values()].every(({ look }) => matchesSignatures(look))
        ? whole.count
        : null,
    rememberAll(folders, paths, began) {
      const look = folders.every((folder) => skills.has(folder)) ? signatureText(paths, began) : null;
      whole = look === null ? null : { count: folders.length, look };
      const kept = new Set(folders);
      for (const folder of skills.keys()) if (!kept.has(folder)) skills.delete(folder);
      hasChanged = true;
    },
    forget() {
      whole = null;
      hasChanged = true;
    },
    save() {
      if (!hasChanged) return;
      try {
        makeFolder(dirname(file));
        putFile(file, JSON.stringify({ version: 2, base, whole, skills: Object.fromEntries(skills) }));
      } catch {
        // The next command reads the files again.
      }
    },
  };
}
