import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { addFile, changedMeanwhile, replaceFile } from '../../core/disk/replace.ts';
import { SkillError } from '../../core/errors.ts';
import { type JsonObject, readJson } from '../../core/formats/documents.ts';
import { choice, flag, type Infer, integer, list, map, object, optional, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { byText, oneLine } from '../../core/text/text.ts';
import { verdicts } from '../scan/types.ts';
import { type Origin, originSchema } from '../sources/types.ts';
import type { Scope } from './places.ts';

/** The key of an entry that holds our additions. Other installers ignore it, and keep it. */
const ownKey = 'repertoire';

const ownSchema = object(
  {
    digest: text('Of all files, as grants have it.'),
    origin: originSchema,
    scan: object({ verdict: choice(verdicts), scanner: text() }),
    asks: list(text(), 'The capabilities that it asks for.'),
    agents: list(text(), 'Agents that have it in a folder of their own.'),
    copies: optional(flag('Whether they have copies, and not links.')),
  },
  'What Repertoire adds to an entry.',
  { open: true },
);

const entrySchema = object(
  {
    source: text(),
    sourceType: optional(text()),
    sourceUrl: optional(text()),
    ref: optional(text()),
    skillPath: optional(text()),
    computedHash: optional(text()),
    skillFolderHash: optional(text()),
    [ownKey]: optional(ownSchema),
  },
  undefined,
  { open: true },
);

const fileSchema = object({ version: integer(), skills: map(object({}, undefined, { open: true })) }, undefined, {
  open: true,
});

/** An entry of a lock file, as far as we understand it. */
export type LockEntry = Infer<typeof entrySchema>;

/** A lock file as it was read. */
export interface Lock {
  readonly scope: Scope;
  /** The text; null where there is no file. */
  readonly text: string | null;
  readonly value: JsonObject;
  readonly entries: ReadonlyMap<string, LockEntry>;
  /** The problems of entries that cannot be used, by name. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The versions of the formats that we know, and that others read. */
const versions = { project: 1, global: 3 } as const;

export function readLock(scope: Scope): Lock {
  const found = readJson(scope.lockFile);
  if (found.kind === 'absent') {
    const value = { version: versions[scope.kind], skills: {} };
    return { scope, text: null, value, entries: new Map(), problems: new Map() };
  }
  if (found.kind === 'invalid') throw unusable(scope, found.message, found.at?.line);
  const file = read(fileSchema, found.value);
  if (!file.ok) throw unusable(scope, `${file.issues[0].path.join('.') || 'it'} ${file.issues[0].message}`);
  if (file.value.version !== versions[scope.kind]) {
    throw unusable(scope, `its version is ${file.value.version}, and only ${versions[scope.kind]} is known`);
  }
  const value = found.value as JsonObject;
  const entries = new Map<string, LockEntry>();
  const problems = new Map<string, string>();
  for (const [name, given] of Object.entries(value['skills'] as JsonObject)) {
    const entry = read(entrySchema, given);
    if (entry.ok) entries.set(name, entry.value);
    else problems.set(name, `${entry.issues[0].path.join('.')} ${entry.issues[0].message}`);
  }
  return { scope, text: found.text, value, entries, problems };
}

function unusable({ lockFile }: Scope, why: string, line?: number): SkillError {
  const place = line === undefined ? lockFile : `${lockFile}:${line}`;
  return new SkillError('config', `${place}: ${oneLine(why)}`, {
    hint: 'Fix the file, or move it away: nothing is installed, updated or removed as long as it cannot be read.',
  });
}

/** Changes to a lock file: entries by name, null for one that goes. */
export type EntryChanges = Readonly<Record<string, JsonObject | null>>;

/**
 * Writes changes into a lock file. Whatever others keep in it stays, in entries and beside them; entries are in the order
 * of their names, so that the same entries are the same bytes. A file that another program changes meanwhile is read
 * again.
 */
export function changeLock(scope: Scope, changes: EntryChanges): void {
  for (let tries = 1; ; tries++) {
    const lock = readLock(scope);
    const after = changedText(lock, changes);
    if (after === lock.text) return;
    const problem = writeLock(scope, lock.text, after);
    if (problem === null) return;
    if (problem !== changedMeanwhile || tries === 5) {
      throw new SkillError('unwritable', `${scope.lockFile} cannot be written (${problem})`);
    }
  }
}

function changedText({ value, text }: Lock, changes: EntryChanges): string {
  const skills = new Map(Object.entries(value['skills'] as JsonObject));
  for (const [name, entry] of Object.entries(changes)) {
    if (entry === null) skills.delete(name);
    else skills.set(name, entry);
  }
  const sorted = [...skills].sort(([a], [b]) => byText(a, b));
  const written = JSON.stringify({ ...value, skills: Object.fromEntries(sorted) }, null, 2);
  return text === null || text.endsWith('\n') ? `${written}\n` : written;
}

function writeLock({ lockFile }: Scope, before: string | null, after: string): string | null {
  if (before !== null) {
    const file = realpathSync(lockFile); // people keep it elsewhere, and link to it
    return replaceFile(file, after, lstatSync(file));
  }
  try {
    makeFolder(dirname(lockFile), 0o755);
    addFile(lockFile, after, 0o644);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The facts about an installed skill that go into its entry. */
export interface Installed {
  readonly origin: Origin;
  readonly digest: string;
  /** The hash that the field's installer computes. */
  readonly fieldHash: string;
  readonly scan: Infer<typeof ownSchema>['scan'];
  readonly asks: readonly string[];
  readonly agents: readonly string[];
  readonly copies: boolean;
}

/** Makes the entry of a skill. The keys of others in the one before are kept. */
export function entryFor(scope: Scope, installed: Installed, before: JsonObject | undefined, now: Date): JsonObject {
  const { origin, digest, fieldHash, scan, asks, agents, copies } = installed;
  const known = { ...fieldsOf(origin, scope), ...hashesFor(scope, fieldHash, before, now) };
  const own = {
    ...{ digest, origin: portable(origin, scope), scan, asks: [...asks].sort(byText) },
    ...{ agents: [...agents].sort(byText), ...(copies && { copies }) },
  };
  const others = Object.entries(before ?? {}).filter(([key]) => !fieldKeys.has(key) && !(key in known));
  return { ...known, ...Object.fromEntries(others), [ownKey]: own };
}

/** The keys that the field's installer writes: those that do not hold any more must go. */
const fieldKeys = new Set([
  ...['source', 'sourceUrl', 'ref', 'sourceType', 'skillPath', 'computedHash', 'skillFolderHash', 'wellKnownDigest'],
  ...['sourceBaseUrl', ownKey],
]);

function hashesFor({ kind }: Scope, hash: string, before: JsonObject | undefined, now: Date): JsonObject {
  if (kind === 'project') return { computedHash: hash };
  const at = now.toISOString();
  return { skillFolderHash: hash, installedAt: before?.['installedAt'] ?? at, updatedAt: at };
}

/** The fields by which the field's installer finds a source again. */
function fieldsOf(origin: Origin, scope: Scope): JsonObject {
  const { kind, source, url = source, ref, path } = origin;
  const rest = { ...(ref !== undefined && { ref }) };
  const inside = kind === 'git' || kind === 'folder' ? { skillPath: posix.join(path ?? '', 'SKILL.md') } : {};
  if (kind === 'folder') {
    return { source: portablePath(url, scope), ...rest, sourceType: 'local', ...inside };
  }
  const [, host, repository] = /^(?:https?:\/\/)([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url) ?? [];
  if (kind === 'git' && host === 'github.com' && repository !== undefined) {
    const sourceUrl = scope.kind === 'global' ? { sourceUrl: url } : {};
    return { source: repository, ...sourceUrl, ...rest, sourceType: 'github', ...inside };
  }
  const sourceType = kind === 'git' && host === 'gitlab.com' ? 'gitlab' : kind;
  return { source: kind === 'git' ? url : source, sourceUrl: url, ...rest, sourceType, ...inside };
}

/** An origin that means the same on every machine that has the project. */
function portable(origin: Origin, scope: Scope): JsonObject {
  if (origin.kind !== 'folder') return origin;
  const { url: _, ...rest } = origin;
  return { ...rest, source: portablePath(origin.url ?? origin.source, scope) };
}

/** A path as the field's installer writes it: in a project relative to its folder, with slashes. */
function portablePath(path: string, { kind, base }: Scope): string {
  const from = relative(base, path);
  if (kind === 'global' || isAbsolute(from)) return path.split(sep).join('/');
  const text = from.split(sep).join('/');
  return text === '' ? '.' : text.startsWith('../') || text === '..' ? text : `./${text}`;
}

/** The source of an entry as it is typed, whoever wrote the entry, and its state where that is known. */
export interface LockedSource {
  readonly text: string;
  readonly ref: string | undefined;
  readonly pinned: Origin | undefined;
  /** The folder of the skill in it; undefined where that is not known. */
  readonly path: string | undefined;
}

export function sourceOf({ base }: Scope, entry: LockEntry): LockedSource {
  const { source, sourceUrl, sourceType, ref, skillPath, repertoire } = entry;
  const path = repertoire?.origin.path ?? (skillPath === undefined ? undefined : folderOf(skillPath));
  if (sourceType === 'local' || repertoire?.origin.kind === 'folder') {
    const text = resolve(base, source);
    const pinned = repertoire === undefined ? undefined : { ...repertoire.origin, source: text, url: text };
    return { text, ref, pinned, path };
  }
  const text = repertoire?.origin.source ?? (sourceType === 'github' ? source : (sourceUrl ?? source));
  return { text, ref, pinned: repertoire?.origin, path };
}

function folderOf(skillPath: string): string {
  const folder = posix.dirname(skillPath);
  return folder === '.' ? '' : folder;
}
