import {
  closeSync,
  constants,
  mkdirSync,
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
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import { reasonOf } from '../kernel/errors.ts';
import { isAbsent, readRegularFile } from '../kernel/files.ts';
import { sha256 } from '../kernel/hash.ts';
import type { Frontmatter, ParsedSkill } from '../skill/types.ts';
import type { Breath } from './breath.ts';
import type { Listing, Signature } from './listing.ts';

/** One SKILL.md as it was read last. Its diagnostics carry no path: the same file may be reached by several. */
export interface CacheEntry {
  readonly signature: Signature;
  readonly digest: string;
  readonly skill: ParsedSkill | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is known of one folder: what it lists, where its signature can vouch for that, and what its SKILL.md says. */
export interface KnownFolder {
  listing: (Listing & { readonly signature: Signature }) | null;
  entry: CacheEntry | null;
}

/** The folders of one root, by path relative to it. */
export type RootEntries = Map<string, KnownFolder>;

const format = 'repertoire-scan';
/** Raised whenever reading a SKILL.md would give another result than before. */
const version = 1;
const byteLimit = 512 * 1024 * 1024;
const fileLimit = 512;

/**
 * What earlier scans learned, one file for each root. A cache is a rumour until proven: it must be ours, whole, of
 * this version and about this root; else it is dropped with a note and written anew. Writers replace the file in one
 * step, so that any number of processes may read and write it at once.
 */
export class CacheFiles {
  readonly #folder: string;
  readonly #diagnostics: Diagnostic[];

  constructor(folder: string, diagnostics: Diagnostic[]) {
    this.#folder = folder;
    this.#diagnostics = diagnostics;
  }

  load(root: string): RootEntries {
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
    const entries = decode(bytes, root);
    if (typeof entries === 'string') {
      this.#discard(file, entries);
      return new Map();
    }
    return entries;
  }

  async save(root: string, entries: RootEntries, breath: Breath): Promise<void> {
    const file = this.#fileOf(root);
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      await writeEntries(draft, root, entries, breath);
      renameSync(draft, file);
    } catch (error) {
      discardDraft(draft);
      const message = `what was scanned cannot be kept (${reasonOf(error)}); the next start reads it again`;
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
    const message = `the scan cache ${why}; it is ignored and written anew`;
    this.#diagnostics.push(
      diagnostic('cache-discarded', file, message, 'Nothing to do; remove the file if this repeats.'),
    );
  }
}

/** One folder as it is written: short, because a large catalogue has tens of thousands. */
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

/** Folders written at a time: enough to be quick, few enough that nobody has to wait. */
const sliceRows = 500;

/** Writes the header and then the rows, in slices: a large cache must not hold up a server. */
async function writeEntries(draft: string, root: string, entries: RootEntries, breath: Breath): Promise<void> {
  const slices: string[] = [];
  let rows: Row[] = [];
  const endSlice = (): void => {
    slices.push(JSON.stringify(rows).slice(1, -1));
    rows = [];
  };
  for (const [path, { listing, entry }] of entries) {
    const listed: ListingRow | 0 = listing === null ? 0 : [listing.signature, listing.file, listing.folders];
    rows.push([path, listed, entry === null ? 0 : entryRow(entry)]);
    if (rows.length < sliceRows) continue;
    endSlice();
    if (breath.isDue) await breath.take();
  }
  if (rows.length > 0) endSlice();
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    const pieces = slices.map((slice, index) => (index === 0 ? `[${slice}` : `,${slice}`));
    pieces.push(pieces.length === 0 ? '[]' : ']');
    writeSync(descriptor, `${JSON.stringify({ format, version, root, sha256: sha256(...pieces) })}\n`);
    for (const piece of pieces) {
      writeFileSync(descriptor, piece);
      if (breath.isDue) await breath.take();
    }
  } finally {
    closeSync(descriptor);
  }
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

/** The entries, or why they cannot be trusted. */
function decode(bytes: Buffer, root: string): RootEntries | string {
  const end = bytes.indexOf(10);
  try {
    const header: unknown = JSON.parse(bytes.toString('utf8', 0, Math.max(end, 0)));
    const expected = { format, version, root };
    for (const [key, value] of Object.entries(expected)) {
      if ((header as Record<string, unknown>)[key] !== value) return `is of another ${key}`;
    }
    const payload = bytes.subarray(end + 1);
    if ((header as Record<string, unknown>)['sha256'] !== sha256(payload)) return 'is damaged';
    const entries: RootEntries = new Map();
    for (const [path, listing, entry] of JSON.parse(payload.toString('utf8')) as Row[]) {
      entries.set(path, {
        listing: listing === 0 ? null : listingOf(listing),
        entry: entry === 0 ? null : entryOf(entry),
      });
    }
    return entries;
  } catch {
    return 'is damaged'; // not JSON, or not the rows that this version writes
  }
}

const none: readonly never[] = [];

function isSignature(value: unknown): boolean {
  return Array.isArray(value) && value.length === 4;
}

/** Only plain listings are kept, so what makes one not plain is never there. */
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

/** A draft that could not be written whole may not be there at all. */
function discardDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // Then there is nothing to remove, or nothing that may be removed.
  }
}

/** Roots come and go, and processes are killed while they write: the oldest files make room. */
function prune(folder: string): void {
  try {
    const names = readdirSync(folder);
    if (names.length <= fileLimit) return;
    const aged = names.map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }));
    aged.sort((a, b) => a.at - b.at);
    for (const { file } of aged.slice(0, names.length - fileLimit)) rmSync(file, { force: true });
  } catch {
    // Another process is tidying up as well; there is a next time.
  }
}
