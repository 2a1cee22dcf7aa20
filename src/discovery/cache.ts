import { constants, readdirSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import { reasonOf } from '../kernel/errors.ts';
import { isAbsent, readRegularFile } from '../kernel/files.ts';
import { sha256 } from '../kernel/hash.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import type { Signature } from '../kernel/signature.ts';
import type { Slicer } from '../kernel/time-slice.ts';
import type { ParsedSkill } from '../skill/types.ts';
import { readEntries, writeEntries } from './cache-rows.ts';
import type { Listing } from './listing.ts';

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
  /** The skill as it was last read in this process, where the signature cannot vouch for it. Never written. */
  last?: CacheEntry;
}

/** The folders of one root, by path relative to it. */
export type RootEntries = Map<string, KnownFolder>;

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
