import type { Stats } from 'node:fs';
import { statOf } from '../core/files.ts';
import { isInside } from '../core/paths.ts';
import { hasSignature, isSettled, signatureOf } from '../core/signature.ts';
import type { Slicer } from '../core/time-slice.ts';
import type { CacheEntry, CacheFiles, KnownFolder, RootEntries } from './cache.ts';
import { isPlain, type Listing } from './listing.ts';

/**
 * What is known of one root while it is scanned: what earlier scans learned and still holds, and what this one adds.
 * A folder or file is believed unchanged when its signature is; both cost one `stat`.
 */
export class RootCache {
  readonly #root: string;
  readonly #files: CacheFiles;
  readonly #next: RootEntries = new Map();
  /** Whether what is known was learned by this process, rather than told by a file. */
  readonly #isOwn: boolean;
  #old: RootEntries;
  #hasNews = false;

  constructor(root: string, files: CacheFiles, remembered: RootEntries | undefined) {
    this.#root = root;
    this.#files = files;
    this.#isOwn = remembered !== undefined;
    this.#old = remembered ?? new Map();
  }

  /** Reads what earlier processes learned, unless this one knows better. */
  async open(slicer: Slicer): Promise<this> {
    if (!this.#isOwn) this.#old = await this.#files.load(this.#root, slicer);
    return this;
  }

  /** The listing of a folder: as it was kept if the folder has not changed since, made anew otherwise. */
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

  /** What the SKILL.md of a folder said when it was read last, if it has not changed since. */
  entry(folder: string, file: string): CacheEntry | undefined {
    const known = this.#known(folder)?.entry;
    if (!known) return undefined;
    const stats = statOf(file);
    if (!stats.ok || !stats.value.isFile() || !hasSignature(stats.value, known.signature)) return undefined;
    this.#keep(folder).entry = known;
    return known;
  }

  /** Keeps what was just read, by the state the file was in when it was. */
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

  /** Keeps that skill for the next scan, though the file may say something else by now. */
  keepPrevious(folder: string, entry: CacheEntry): void {
    this.#keep(folder).last = entry;
  }

  /**
   * Ends the scan of this root: writes what is new, and returns what to remember. After a scan of the whole root what
   * was not met is gone; after one that only added to an earlier one it stays.
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
    const key = this.#keyOf(folder);
    let kept = this.#next.get(key);
    if (kept === undefined) {
      kept = { listing: null, entry: null };
      this.#next.set(key, kept);
    }
    return kept;
  }

  /** Below the root, the path from there; a folder behind a link keeps its whole path, marked as such. */
  #keyOf(folder: string): string {
    return isInside(this.#root, folder) ? folder.slice(this.#root.length) : `>${folder}`;
  }
}
