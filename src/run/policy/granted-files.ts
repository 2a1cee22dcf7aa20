import { isUtf8 } from 'node:buffer';
import { rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { entriesOf, isThere, linkStatOf, readRegularFile } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { below } from '../../core/disk/paths.ts';
import { putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import { sha256 } from '../../core/hash.ts';
import { choice, type Infer, nullable, object, text } from '../../core/schema/schema.ts';
import { byText } from '../../core/text/text.ts';
import { changesSince } from './effective.ts';
import type { FileDigests, Grant } from './types.ts';

const kb = 1024;
/** Bounds of what is kept: bytes of one file, of all files of a grant, and of all grants. */
const most = { file: 256 * kb, grant: 4 * kb ** 2, all: 64 * kb ** 2 };

/** Limits of one report: changed files, and bytes of all of them together. */
const maxReported = { files: 200, bytes: 2 * kb ** 2 };

function folderOf(environment: Environment): string {
  return join(stateFolder(environment), 'granted');
}

/** The SHA-256 in a digest of a file; null for a link, and for anything but a file. */
function hashIn(digest: string | undefined): string | null {
  return /^sha256:([\da-f]{64})/.exec(digest ?? '')?.[1] ?? null;
}

/**
 * Keeps the texts of the files that were granted something, by their digests, so that a person can be shown later what
 * has changed in them. It is a help for reviewers and proves nothing: where it fails, the grant holds all the same.
 */
export function keepGranted(environment: Environment, { skill, files }: Pick<Grant, 'skill' | 'files'>): void {
  const folder = folderOf(environment);
  let left = most.grant;
  try {
    makeFolder(folder);
    // The manifest and the instructions lie at the top: they matter most where not everything can be kept.
    const paths = Object.keys(files).sort((one, other) => depthOf(one) - depthOf(other) || byText(one, other));
    for (const path of paths) {
      const hash = hashIn(files[path]);
      const place = hash === null ? null : join(folder, hash);
      if (place === null || isThere(place)) continue;
      const bytes = textAt(skill, path);
      if (bytes === null || bytes.length > left || sha256(bytes) !== hash) continue;
      putFile(place, bytes.toString('utf8'));
      left -= bytes.length;
    }
  } catch {
    // The review of the next change says that the text was not kept.
  }
}

function depthOf(path: string): number {
  return path.split('/').length;
}

/** The bytes of a file of a skill, where it is a text that is not too long. */
function textAt(skill: string, path: string): Buffer | null {
  const read = readRegularFile(isAbsolute(path) ? path : below(skill, path), most.file);
  return read.ok && isUtf8(read.value.bytes) && !read.value.bytes.includes(0) ? read.value.bytes : null;
}

/** Removes the texts that no grant is for any more, and the oldest of those that are too much. */
export function pruneGranted(environment: Environment, grants: readonly Pick<Grant, 'files'>[]): void {
  const folder = folderOf(environment);
  const entries = entriesOf(folder);
  if (!entries.ok) return;
  const wanted = new Set(grants.flatMap(({ files }) => Object.values(files).map(hashIn)));
  const kept = entries.value.flatMap(({ name }) => {
    const stats = linkStatOf(join(folder, name));
    return stats.ok ? [{ name, at: stats.value.mtimeMs, size: stats.value.size }] : [];
  });
  let size = 0;
  for (const file of kept.sort((one, other) => other.at - one.at)) {
    size += wanted.has(file.name) ? file.size : 0;
    if (!wanted.has(file.name) || size > most.all) remove(join(folder, file.name));
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next grant or revocation removes it.
  }
}

/** A file that is other than when it was granted something. */
export const fileChangeSchema = object({
  path: text(),
  change: choice(['changed', 'added', 'removed']),
  before: nullable(text(), 'Its text when it was granted; null where there was none, or it is not known.'),
  after: nullable(text(), 'Its text now; null where there is none, or it cannot be shown.'),
  note: nullable(text(), 'Why a text is missing, or what has changed besides.'),
});
export type FileChange = Infer<typeof fileChangeSchema>;

/** The changes of files since a grant, with both texts as far as they are known. */
export function changedFiles(environment: Environment, grant: Grant, now: FileDigests): readonly FileChange[] {
  const { changed, added, removed } = changesSince(grant, now);
  let left = maxReported.bytes;
  const changes = [
    ...changed.map((path) => ({ path, change: 'changed' as const })),
    ...added.map((path) => ({ path, change: 'added' as const })),
    ...removed.map((path) => ({ path, change: 'removed' as const })),
  ];
  return changes.slice(0, maxReported.files).map(({ path, change }) => {
    const then = change === 'added' ? null : grantedText(environment, grant.files[path]);
    const text = change === 'removed' ? null : (textAt(grant.skill, path)?.toString('utf8') ?? null);
    left -= (then?.length ?? 0) + (text?.length ?? 0);
    if (left < 0) return { path, change, before: null, after: null, note: 'Too much has changed to show all of it.' };
    return {
      path,
      change,
      before: then,
      after: text,
      note: noteOn({ change, then, text }, grant.files[path], now[path]),
    };
  });
}

interface Texts {
  readonly change: FileChange['change'];
  readonly then: string | null;
  readonly text: string | null;
}

function noteOn({ change, then, text }: Texts, before: string | undefined, after: string | undefined): string | null {
  if (change !== 'added' && then === null) return 'Its text from then is not kept: it is not text, too long, or older.';
  if (change !== 'removed' && text === null) return 'It is not text that can be shown.';
  if (change !== 'changed' || hashIn(before) !== hashIn(after)) return null;
  return after?.endsWith('executable') ? 'It can be executed now.' : 'It can no longer be executed.';
}

/** The text of a file as it was granted something; null where it is not kept, or is not what was kept. */
function grantedText(environment: Environment, digest: string | undefined): string | null {
  const hash = hashIn(digest);
  if (hash === null) return null;
  const read = readRegularFile(join(folderOf(environment), hash), most.file);
  return read.ok && sha256(read.value.bytes) === hash ? read.value.bytes.toString('utf8') : null;
}
