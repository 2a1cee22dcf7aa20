import type { Stats } from 'node:fs';
import { statOf } from '../core/disk/files.ts';
import { isInside } from '../core/disk/paths.ts';
import { hasSignature, isSettled, signatureOf } from '../core/disk/signature.ts';
import { getOrInsert } from '../core/maps.ts';
import type { Slicer } from '../core/time-slice.ts';
import type { CacheEntry, CacheFiles, KnownFolder, RootEntries } from './cache.ts';
import { isPlain, type Listing } from './listing.ts';

/**
 * The cache of one root while it is scanned: the results of earlier scans that still hold, and those that this one
 * adds. A folder or file is believed unchanged when its signature is; both cost one `stat`.
 */
export class RootCache {
  readonly #root: string;
  readonly #files: CacheFiles;
  readonly #next: RootEntries = new Map();
  /** Whether the entries were learned by this process, rather than read from a file. */
  readonly #isOwn: boolean;
  #old: RootEntries;
  #hasNews = false;

  constructor(root: string, files: CacheFiles, remembered: RootEntries | undefined) {
    this.#root = root;
    this.#files = files;
    this.#isOwn = remembered !== undefined;
    this.#old = remembered ?? new Map();
  }

  /** Reads the results of earlier processes, unless this one has its own. */
  async open(slicer: Slicer): Promise<this> {
    if (!this.#isOwn) this.#old = await this.#files.load(this.#root, slicer);
    return this;
  }

  /** The listing of a folder: the cached one if the folder has not changed since, a new one otherwise. */
  listing(folder: string, list: () => Listing | null): Listing | null {
    const known = this.#known(folder)?.listing;
    // The signature is taken before the listing: a change in between makes it too old, never too new.
    const stats = statOf(folder);
    if (known && stats.ok && hasSignature(stats.value, known.signature)) {
      this.#keep(folder).listing = known;
      return known;
    }
    const now = Date.now();
    const listing = list();
    if (listing !== null && isPlain(listing) && stats.ok && isSettled(stats.value, now)) {
      this.#hasNews = true;
      this.#keep(folder).listing = { ...listing, signature: signatureOf(stats.value) };
    }
    return listing;
  }

  /** The content of a folder's SKILL.md when it was last read, if it has not changed since. */
  entry(folder: string, file: string): CacheEntry | undefined {
    const known = this.#known(folder)?.entry;
    if (!known) return undefined;
    const stats = statOf(file);
    if (!stats.ok || !stats.value.isFile() || !hasSignature(stats.value, known.signature)) return undefined;
    this.#keep(folder).entry = known;
    return known;
  }

  /** Keeps an entry that was just read, with the state that the file had at that moment. */
  keepEntry(folder: string, entry: CacheEntry, stats: Stats, readAt: number): void {
    this.#hasNews = true;
    if (isSettled(stats, readAt)) this.#keep(folder).entry = entry;
    else if (entry.skill !== null) this.#keep(folder).last = entry;
  }

  /** The skill that the previous scan of this process found in a folder. */
  previous(folder: string): CacheEntry | undefined {
    const known = this.#isOwn ? this.#known(folder) : undefined;
    const entry = known?.last ?? known?.entry;
    return entry?.skill ? entry : undefined;
  }

  /** Keeps the previous skill for the next scan, though the file may say something else by now. */
  keepPrevious(folder: string, entry: CacheEntry): void {
    this.#keep(folder).last = entry;
  }

  /**
   * Ends the scan of this root: writes what is new, and returns the entries to remember. After a scan of the whole
   * root, entries that were not met are gone; after one that only added to an earlier scan they stay.
   */
  async finish(extent: 'whole' | 'added', slicer: Slicer): Promise<RootEntries> {
    for (const [key, known] of extent === 'added' ? this.#old : []) {
      if (!this.#next.has(key)) this.#next.set(key, known);
    }
    if (this.#hasNews || this.#old.size !== this.#next.size) await this.#files.save(this.#root, this.#next, slicer);
    return this.#next;
  }

  #known(folder: string): KnownFolder | undefined {
    return this.#old.get(this.#keyOf(folder));
  }

  #keep(folder: string): KnownFolder {
    return getOrInsert(this.#next, this.#keyOf(folder), () => ({ listing: null, entry: null }));
  }

  /** The key of a folder: its path from the root; a folder behind a link keeps its whole path, marked as such. */
  #keyOf(folder: string): string {
    return isInside(this.#root, folder) ? folder.slice(this.#root.length) : `>${folder}`;
  }
}
