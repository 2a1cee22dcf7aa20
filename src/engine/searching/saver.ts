import type { Snapshot } from '../../registry/snapshot.ts';
import { openSegment } from '../../search/index/segment.ts';
import type { IndexFiles } from './files.ts';
import type { IndexNotes } from './notes.ts';
import { isEmbedded, type SegmentStore } from './segment-store.ts';
import { mergeOnThread, type ThreadWork } from './threads.ts';

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
      saver.isDue = false; // what cannot be saved now cannot be saved a moment later either
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
