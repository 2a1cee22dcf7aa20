import { isUtf8 } from 'node:buffer';
import { constants, rmSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { entriesOf, isAbsent, isThere, linkStatOf, readRegularFile } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { below } from '../../core/disk/paths.ts';
import { discard, putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { readOwnFile } from '../../core/schema/own-file.ts';
import { type Parsed, parsed, problem } from '../../core/schema/parsed.ts';
import { choice, type Infer, list, literal, map, nullable, object, optional, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { byText } from '../../core/text/text.ts';
import { type CapabilityName, capabilitiesFrom, capabilityNames, textsOf } from './capabilities.ts';
import { changesSince } from './effective.ts';
import type { FileDigests, Grant } from './types.ts';

/** A grant, or none, with the reason where there is a file of one. */
type GrantFound =
  | { readonly grant: Grant; readonly problem: null }
  | { readonly grant: null; readonly problem: string | null };

const byteLimit = 8 * 1024 * 1024;

export function grantsFolder(environment: Environment): string {
  return join(stateFolder(environment), 'grants');
}

/** The file for the grant of a skill, named after the real folder of it. */
export function grantFile(environment: Environment, folder: string): string {
  return join(grantsFolder(environment), `${sha256(folder).slice(0, 32)}.json`);
}

/** Reads the grant of the skill in this real folder. A file that cannot be trusted grants nothing. */
export function readGrant(environment: Environment, folder: string): GrantFound {
  const file = grantFile(environment, folder);
  const found = readGrantFile(file, environment);
  if (found.grant === null || found.grant.skill === folder) return found;
  return { grant: null, problem: `${file} is for another folder; it is ignored` };
}

function readGrantFile(file: string, environment: Environment): GrantFound {
  const read = readRegularFile(file, byteLimit);
  if (!read.ok && isAbsent(read.reason)) return { grant: null, problem: null };
  const why = read.ok ? foreignness(read.value.stats) : `cannot be read (${read.reason})`;
  if (!read.ok || why !== null) return { grant: null, problem: `${file} ${why}; it is ignored` };
  const grant = grantFrom(read.value.bytes.toString('utf8'), environment);
  if (grant.ok) return { grant: grant.value, problem: null };
  return { grant: null, problem: `${file} ${grant.message}; it is ignored` };
}

/** The reason why others could have written a file; null for none. */
function foreignness({ uid, mode }: Stats): string | null {
  if (process.getuid !== undefined && uid !== process.getuid()) return 'belongs to another user';
  return (mode & (constants.S_IWGRP | constants.S_IWOTH)) === 0 ? null : 'can be written by others';
}

/** Writes a grant, in the place of the one before. */
export function writeGrant(environment: Environment, grant: Grant): void {
  try {
    makeFolder(grantsFolder(environment));
    putFile(grantFile(environment, grant.skill), grantJson(grant));
  } catch (error) {
    throw unwritable(environment, error);
  }
}

/** Takes a grant back, whatever state its file is in. Returns whether there was one. */
export function removeGrant(environment: Environment, folder: string): boolean {
  const file = grantFile(environment, folder);
  if (!linkStatOf(file).ok) return false;
  try {
    rmSync(file, { recursive: true, force: true });
  } catch (error) {
    throw unwritable(environment, error);
  }
  return true;
}

/** All grants, by the names of their skills, and what is wrong with the others. */
export function listGrants(environment: Environment): { grants: readonly Grant[]; problems: readonly string[] } {
  const folder = grantsFolder(environment);
  const entries = entriesOf(folder);
  if (!entries.ok) {
    return { grants: [], problems: isAbsent(entries.reason) ? [] : [`${folder} cannot be read (${entries.reason})`] };
  }
  const names = entries.value.map(({ name }) => name).filter((name) => /^[\da-f]{32}\.json$/.test(name));
  const found = names.sort(byText).map((name) => ownGrant(join(folder, name), environment));
  const grants = found.flatMap(({ grant }) => (grant === null ? [] : [grant]));
  grants.sort((a, b) => byText(a.name, b.name) || byText(a.skill, b.skill));
  return { grants, problems: found.flatMap(({ problem }) => (problem === null ? [] : [problem])) };
}

/** Reads a grant under its own name. A file copied to another name grants nothing, and must not look as if it did. */
function ownGrant(file: string, environment: Environment): GrantFound {
  const found = readGrantFile(file, environment);
  if (found.grant === null || grantFile(environment, found.grant.skill) === file) return found;
  return { grant: null, problem: `${file} is for another folder; it is ignored` };
}

function unwritable(environment: Environment, error: unknown): SkillError {
  const folder = grantsFolder(environment);
  const hint = 'Make the folder writable, or set XDG_STATE_HOME to one that is.';
  return new SkillError('unwritable', `${folder} cannot be written (${reasonOf(error)})`, { hint, cause: error });
}

/** Version of the format, raised whenever an older program would misread it. */
const version = 1;
const remedy = 'Grant the skill again.';

/** A grant as it is kept: with its capabilities as people write them. */
function grantJson(grant: Grant): string {
  const { capabilities, withheld } = grant;
  const texts = { capabilities: textsOf(capabilities), ...(withheld && { withheld: textsOf(withheld) }) };
  return `${JSON.stringify({ version, ...grant, ...texts }, null, 2)}\n`;
}

const texts = list(text());
/** Capabilities as people write them. Grants that were given before limits had to be asked for hold none. */
const textsSchema = object(
  Object.fromEntries(capabilityNames.map((name) => [name, name === 'limits' ? optional(texts) : texts])) as Readonly<
    Record<CapabilityName, typeof texts>
  >,
  undefined,
  { open: true },
);

const grantSchema = object(
  {
    version: literal(version),
    skill: text(),
    name: text(),
    digest: text(),
    files: map(text()),
    capabilities: textsSchema,
    withheld: optional(textsSchema),
    places: map(text()),
    grantedAt: text(),
  },
  'A grant as it is kept.',
  { open: true },
);

/** Reads a grant that was kept. Anything that is not exactly one is rejected. */
function grantFrom(text: string, environment: Environment): Parsed<Grant> {
  const reading = read(
    grantSchema,
    attempt(() => JSON.parse(text), null),
    'data',
    1,
  );
  if (!reading.ok) {
    const [place = 'version'] = reading.issues[0].path;
    return problem(place === 'version' ? 'is not a valid grant' : 'is an incomplete grant', remedy);
  }
  const { version: _, ...kept } = reading.value;
  const capabilities = capabilitiesFrom(kept.capabilities, environment);
  const withheld = kept.withheld && capabilitiesFrom(kept.withheld, environment);
  if (!capabilities.ok || withheld?.ok === false) return problem('is an incomplete grant', remedy);
  const { skill, name, digest, files, places, grantedAt } = kept;
  const granted = { capabilities: capabilities.value, ...(withheld && { withheld: withheld.value }) };
  return parsed({ skill, name, digest, files, ...granted, places, grantedAt });
}

/** A grant that somebody has given and somebody else has to confirm. */
const requestSchema = object({
  about: text('The digest of what would be granted, to which files.'),
  subject: text('Who has given it.'),
});
type GrantWaiting = Infer<typeof requestSchema>;

function fileFor(environment: Environment, folder: string): string {
  return join(stateFolder(environment), 'grant-requests', `${sha256(folder).slice(0, 32)}.json`);
}

/** The grant that waits for a second person, of the skill in this real folder. */
export function requestFor(environment: Environment, folder: string): GrantWaiting | null {
  return readOwnFile(requestSchema, fileFor(environment, folder), 64 * 1024);
}

export function keepRequest(environment: Environment, folder: string, waiting: GrantWaiting): void {
  const file = fileFor(environment, folder);
  makeFolder(join(file, '..'));
  putFile(file, JSON.stringify(waiting));
}

export function forgetRequest(environment: Environment, folder: string): void {
  rmSync(fileFor(environment, folder), { force: true });
}

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
    if (!wanted.has(file.name) || size > most.all) discard(join(folder, file.name));
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
