import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { succeeds } from '../../core/attempt.ts';
import { below, xdgDir } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { sha256 } from '../../core/hash.ts';
import { createSlicer, runSliced } from '../../core/time-slice.ts';
import type { Scan } from '../../discovery/scan.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { readIndexFile } from '../../search/index/file.ts';
import { openSegment, type Segment } from '../../search/index/segment.ts';
import type { Skill } from '../../skill/types.ts';
import { type DocumentMap, documentMapSteps } from './document-map.ts';
import type { IndexNotes } from './index-manager.ts';
import { mergeOnThread, type ThreadWork } from './threads.ts';

/** The current segments, and the documents of a snapshot's skills in them. */
export interface SegmentStore {
  readonly segments: readonly Segment[];
  /** Replaces all segments. */
  replace(segments: readonly Segment[]): void;
  /** Adds one more segment. */
  add(bytes: Uint8Array): Segment;
  place(snapshot: Snapshot): Promise<DocumentMap>;
  /** The documents of a snapshot's skills in the segments that have embeddings. */
  placeEmbedded(snapshot: Snapshot): Promise<DocumentMap>;
}

/** Tells whether the skills in a segment can be found by meaning. */
export function isEmbedded({ dimensions, documents }: Segment): boolean {
  return dimensions > 0 || documents === 0;
}

/** Creates a store. `toBeIndexed` decides which skills of a snapshot are to have a document. */
export function createSegmentStore(toBeIndexed: (snapshot: Snapshot) => readonly Skill[]): SegmentStore {
  let segments: readonly Segment[] = [];
  let known: { readonly segments: readonly Segment[]; readonly documentMap: DocumentMap } | undefined;
  const placeIn = (snapshot: Snapshot, some: readonly Segment[]) =>
    runSliced(documentMapSteps(snapshot, toBeIndexed(snapshot), some), createSlicer());
  return {
    get segments() {
      return segments;
    },
    replace(others) {
      segments = others;
    },
    add(bytes) {
      const segment = openSegment(bytes);
      // Embedded segments come first: a skill is found in the first that has it.
      segments = isEmbedded(segment)
        ? [...segments.filter(isEmbedded), segment, ...segments.filter((one) => !isEmbedded(one))]
        : [...segments, segment];
      return segment;
    },
    async place(snapshot) {
      if (known?.documentMap.snapshot === snapshot && known.segments === segments) return known.documentMap;
      const current = segments;
      const documentMap = await placeIn(snapshot, current);
      known = { segments: current, documentMap };
      return documentMap;
    },
    placeEmbedded: (snapshot) => placeIn(snapshot, segments.filter(isEmbedded)),
  };
}

/** Saves the segments to disk. */
export interface Saver {
  /** Whether there is a segment that is not on disk, or the other way round. */
  isDue: boolean;
  /** Merges everything into one segment, and saves it. */
  save(snapshot: Snapshot): Promise<void>;
  /** Milliseconds that the last save took. */
  lastMs: number;
}

interface Parts {
  readonly segmentStore: SegmentStore;
  readonly files: IndexFiles;
  readonly notes: IndexNotes;
  /** Runs work on threads that can be ended from outside. */
  readonly onThreads: <T>(work: ThreadWork<T>) => Promise<T>;
}

export function createSaver({ segmentStore, files, notes, onThreads }: Parts): Saver {
  const saver: Saver = {
    isDue: false,
    lastMs: 0,
    async save(snapshot) {
      // Segments that were not embedded are not saved: the next start is to try again.
      const segments = segmentStore.segments.filter(isEmbedded);
      if (!saver.isDue || segments.length === 0) return;
      // Whatever is added from here on is due again. What cannot be saved now cannot be saved a moment later either.
      saver.isDue = false;
      const began = Date.now();
      const { keys } = await segmentStore.place(snapshot);
      const job = {
        segments: segments.map(({ bytes }) => bytes),
        wanted: shared(keys),
        ...files.targetFor(snapshot.scan),
      };
      const merged = await onThreads(mergeOnThread(job));
      // Others may have been added meanwhile.
      segmentStore.replace([
        openSegment(merged.bytes),
        ...segmentStore.segments.filter((one) => !segments.includes(one)),
      ]);
      notes.tell('keeping', merged.problem);
      saver.lastMs = Date.now() - began;
      files.prune();
    },
  };
  return saver;
}

/** Copies bytes to memory that threads share: nothing is copied when they are handed over. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

const ending = '.index';
const draftEnding = '.tmp';
const mostFiles = 16;
const mostDonors = 3;
/** Age from which a draft was left by a process that is gone. */
const draftMs = 60 * 60 * 1000;
const dayMs = 24 * draftMs;

/** The index files of this user. */
export interface IndexFiles {
  /** The path and the maker of the index for everything that is found in the same folders. */
  targetFor(scan: Scan): { readonly file: string; readonly maker: string };
  /**
   * Opens the index of a scan; where there is none, the newest other one may know many of the same skills. A damaged
   * one is reported.
   */
  open(scan: Scan): Promise<{ readonly segment?: Segment; readonly damage?: string }>;
  /** Tells whether there is no index at all. */
  isEmpty(): boolean;
  /** Removes the indexes that have not been used for longest, and drafts that a killed process left. */
  prune(): void;
}

export function indexFiles(environment: Environment, maker: string): IndexFiles {
  const folder = below(xdgDir(environment, 'CACHE'), 'repertoire/index');
  const fileFor = ({ roots }: Scan) => {
    const found = roots.filter(({ status }) => status === 'found').map(({ root }) => root.path);
    return below(folder, `${sha256([maker, ...found.sort()].join('\0')).slice(0, 32)}${ending}`);
  };
  return {
    targetFor: (scan) => ({ file: fileFor(scan), maker }),
    async open(scan) {
      const file = fileFor(scan);
      const own = await readIndexFile(file, maker);
      if (own.kind === 'read') {
        succeeds(() => keepAlive(file));
        return { segment: own.segment };
      }
      const damage = own.kind === 'damaged' ? { damage: own.reason } : {};
      for (const { path } of aged(folder, ending).slice(0, mostDonors)) {
        const other = path === file ? own : await readIndexFile(path, maker);
        if (other.kind === 'read') return { segment: other.segment, ...damage };
      }
      return damage;
    },
    isEmpty: () => aged(folder, ending).length === 0,
    prune() {
      const now = Date.now();
      const old = aged(folder, ending).slice(mostFiles);
      const left = aged(folder, draftEnding).filter(({ time }) => now - time > draftMs);
      for (const { path } of [...old, ...left]) succeeds(() => rmSync(path, { force: true }));
    },
  };
}

/** The files of a folder with this ending, newest first. */
function aged(folder: string, kind: string): { path: string; time: number }[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(kind))
      .map((name) => below(folder, name))
      .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.time - a.time);
  } catch {
    return []; // no folder yet
  }
}

/** Marks a file as used, if it has not been for a day: the oldest are removed first. */
function keepAlive(file: string): void {
  const now = new Date();
  if (now.getTime() - statSync(file).mtimeMs > dayMs) utimesSync(file, now, now);
}
