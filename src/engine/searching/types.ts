import type { OnProgress } from '../../core/progress.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { DocumentMap } from './document-map.ts';

/** Keeps an index in step with the registry. */
export interface IndexManager {
  /** Begins to index skills while a scan finds them, where nothing is indexed yet. */
  begin(registry: Pick<Registry, 'observe'>): void;
  /** Brings the index up to a snapshot, and returns the state of it. Skills that are not ready in time come later. */
  follow(snapshot: Snapshot, patienceMs: number, onProgress?: OnProgress): Promise<DocumentMap>;
  /** The state of the index that is on disk, without adding to it. */
  look(snapshot: Snapshot): Promise<DocumentMap>;
  /** Number of skills that were read since the beginning. */
  added(): number;
  /** Tells whether skills are being read. */
  isGrowing(): boolean;
  /** Discards the index; the next call rebuilds it. */
  forget(): Promise<void>;
  /** Problems on the way, in words. None of them keeps a search from being answered. */
  notes(): readonly string[];
  /** Resolves when the whole index is saved to disk. */
  settled(): Promise<void>;
  close(): void;
}
