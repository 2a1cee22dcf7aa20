import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { isAbsent, readRegularFile } from '../core/disk/files.ts';
import { makeFolder } from '../core/disk/make-folder.ts';
import type { Signature } from '../core/disk/signature.ts';
import { reasonOf } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { Slicer } from '../core/time-slice.ts';
import type { Frontmatter, ParsedSkill } from '../skill/types.ts';
import type { Listing } from './listing.ts';

/** One SKILL.md as it was read last. Its diagnostics carry no path: the same file may be reached by several. */
export interface CacheEntry {
  readonly signature: Signature;
  readonly digest: string;
  readonly skill: ParsedSkill | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A folder in the cache: its listing, where its signature can vouch for that, and the content of its SKILL.md. */
export interface KnownFolder {
  listing: (Listing & { readonly signature: Signature }) | null;
  entry: CacheEntry | null;
  /** The skill as it was last read in this process, where the signature cannot vouch for it. Never written. */
  last?: CacheEntry;
}

/** The folders of one root, by path relative to it. */
export type RootEntries = Map<string, KnownFolder>;

const byteLimit = 512 * 1024 * 1024;
const fileLimit = 512;

/**
 * The results of earlier scans, one file for each root. A cache is a rumour until proven: it must be ours, whole, of
 * this version and about this root; else it is dropped with a note and written anew. Writers replace the file
 * atomically, so that any number of processes may read and write it at once.
 */
export class CacheFiles {
  readonly #folder: string;
  readonly #diagnostics: Diagnostic[];

  constructor(folder: string, diagnostics: Diagnostic[]) {
    this.#folder = folder;
    this.#diagnostics = diagnostics;
  }

  async load(root: string, slicer: Slicer): Promise<RootEntries> {
    const file = this.#fileOf(root);
    const read = readRegularFile(file, byteLimit);
    if (!read.ok) {
      if (!isAbsent(read.reason)) this.#discard(file, `cannot be read (${read.reason})`);
      return new Map();
    }
    const { bytes, stats } = read.value;
    const foreign = process.getuid !== undefined && stats.uid !== process.getuid();
    if (foreign || (stats.mode & (constants.S_IWGRP | constants.S_IWOTH)) !== 0) {
      this.#discard(file, foreign ? 'belongs to another user' : 'can be written by others');
      return new Map();
    }
    const entries = await readEntries(bytes, root, slicer);
    if (typeof entries === 'string') {
      this.#discard(file, entries);
      return new Map();
    }
    return entries;
  }

  async save(root: string, entries: RootEntries, slicer: Slicer): Promise<void> {
    const file = this.#fileOf(root);
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      makeFolder(this.#folder);
      await writeEntries(draft, root, entries, slicer);
      renameSync(draft, file);
    } catch (error) {
      discardDraft(draft);
      const message = `the scan cannot be cached (${reasonOf(error)}); the next start scans again`;
      const remedy = 'Make the folder writable, or set XDG_CACHE_HOME to one that is.';
      this.#diagnostics.push(diagnostic('cache-unwritable', this.#folder, message, remedy));
      return;
    }
    prune(this.#folder);
  }

  #fileOf(root: string): string {
    return join(this.#folder, `${sha256(root).slice(0, 32)}.scan`);
  }

  #discard(file: string, why: string): void {
    const message = `the scan cache ${why}; it is ignored and rewritten`;
    this.#diagnostics.push(
      diagnostic('cache-discarded', file, message, 'Nothing to do; remove the file if this repeats.'),
    );
  }
}

/** Removes a draft, which may not exist if it could not be written whole. */
function discardDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // There is nothing to remove, or nothing that may be removed.
  }
}

/** Removes the oldest files: roots come and go, and processes are killed while they write. */
function prune(folder: string): void {
  try {
    const names = readdirSync(folder);
    if (names.length <= fileLimit) return;
    const aged = names.map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }));
    aged.sort((a, b) => a.at - b.at);
    for (const { file } of aged.slice(0, names.length - fileLimit)) rmSync(file, { force: true });
  } catch {
    // Another process is tidying up as well; the next time will do.
  }
}

const format = 'repertoire-scan';
/** The version of the format, raised whenever reading a SKILL.md would give another result than before. */
const version = 2;

/** A folder as it is written: short, because a large catalogue has tens of thousands. */
type Row = [path: string, listing: ListingRow | 0, entry: EntryRow | 0];
type ListingRow = [signature: Signature, file: string | null, folders: readonly string[]];
type EntryRow = [
  signature: Signature,
  digest: string,
  frontmatter: Frontmatter | null,
  name: string | null,
  description: string | null,
  repaired: 0 | 1,
  diagnostics: readonly Diagnostic[] | 0,
];

/** Folders on one line: enough to be quick, few enough that nobody has to wait while it is written or read. */
const lineRows = 200;

/** Writes a header line, then the rows, line by line: a large cache must not hold up a server. */
export async function writeEntries(draft: string, root: string, entries: RootEntries, slicer: Slicer): Promise<void> {
  const lines: string[] = [];
  const hash = newHash();
  let rows: Row[] = [];
  const endLine = (): void => {
    const line = `${lines.length === 0 ? '' : '\n'}${JSON.stringify(rows)}`;
    hash.update(line);
    lines.push(line);
    rows = [];
  };
  for (const [path, { listing, entry }] of entries) {
    const listed: ListingRow | 0 = listing === null ? 0 : [listing.signature, listing.file, listing.folders];
    rows.push([path, listed, entry === null ? 0 : entryRow(entry)]);
    if (rows.length < lineRows) continue;
    endLine();
    if (slicer.isDue) await slicer.pause();
  }
  if (rows.length > 0 || lines.length === 0) endLine();
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify({ format, version, root, sha256: hash.digest('hex') })}\n`);
    for (const line of lines) {
      writeFileSync(descriptor, line);
      if (slicer.isDue) await slicer.pause();
    }
  } finally {
    closeSync(descriptor);
  }
}

function newHash() {
  return process.getBuiltinModule('node:crypto').createHash('sha256');
}

function entryRow({ signature, digest, skill, diagnostics }: CacheEntry): EntryRow {
  const frontmatter = skill?.frontmatter ?? null;
  // Nearly always the same text as in the front matter: then it is kept once.
  const name = skill === null || skill.name === frontmatter?.['name'] ? null : skill.name;
  const description = skill === null || skill.description === frontmatter?.['description'] ? null : skill.description;
  return [
    signature,
    digest,
    frontmatter,
    name,
    description,
    skill?.repaired ? 1 : 0,
    diagnostics.length === 0 ? 0 : diagnostics,
  ];
}

/** Parses the entries, or returns why they cannot be trusted. */
export async function readEntries(bytes: Buffer, root: string, slicer: Slicer): Promise<RootEntries | string> {
  try {
    const end = Math.max(bytes.indexOf(newline), 0);
    const header = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>;
    const other = Object.entries({ format, version, root }).find(([key, value]) => header[key] !== value);
    if (other !== undefined) return `is of another ${other[0]}`;
    const entries: RootEntries = new Map();
    const hash = newHash();
    for (let at = end + 1; at < bytes.length; ) {
      const next = bytes.indexOf(newline, at) + 1 || bytes.length;
      hash.update(bytes.subarray(at, next));
      for (const row of JSON.parse(bytes.toString('utf8', at, next)) as Row[]) entries.set(row[0], folderOf(row));
      at = next;
      if (slicer.isDue) await slicer.pause();
    }
    return hash.digest('hex') === header['sha256'] ? entries : 'is damaged';
  } catch {
    return 'is damaged'; // not JSON, or not the rows that this version writes
  }
}

const newline = 10;
const none: readonly never[] = [];

function folderOf([, listing, entry]: Row): KnownFolder {
  return { listing: listing === 0 ? null : listingOf(listing), entry: entry === 0 ? null : entryOf(entry) };
}

function isSignature(value: unknown): boolean {
  return Array.isArray(value) && value.length === 4;
}

/** Restores a listing. Only plain listings are kept, so the parts that make one not plain are always empty. */
function listingOf([signature, file, folders]: ListingRow): KnownFolder['listing'] {
  if (!isSignature(signature) || !Array.isArray(folders)) throw new TypeError('not a listing');
  return { signature, file, folders, fileIsLink: false, links: none, isDisabled: false, mayBePlugin: false };
}

function entryOf(row: EntryRow): CacheEntry {
  const [signature, digest, frontmatter, ownName, ownDescription, repaired, noted] = row;
  const diagnostics = noted === 0 ? none : noted;
  if (!isSignature(signature) || !Array.isArray(diagnostics)) throw new TypeError('not an entry');
  if (frontmatter === null) return { signature, digest, skill: null, diagnostics };
  const name = ownName ?? frontmatter['name'];
  const description = ownDescription ?? frontmatter['description'];
  if (typeof name !== 'string' || typeof description !== 'string') throw new TypeError('not a skill');
  return { signature, digest, skill: { name, description, frontmatter, repaired: repaired === 1 }, diagnostics };
}
