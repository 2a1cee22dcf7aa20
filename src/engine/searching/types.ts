import type { OnProgress } from '../../core/progress.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { DocumentMap } from './document-map.ts';

/** Keeps an index in step with the registry. */
export interface IndexManager {
  /** Where nothing is indexed yet, begins with what a look at the disk finds while it is under way. */
  begin(registry: Pick<Registry, 'observe'>): void;
  /**
   * Brings the index up to a snapshot. What is not ready by the time the patience is over comes later; the answer tells
   * where things stand.
   */
  follow(snapshot: Snapshot, patienceMs: number, onProgress?: OnProgress): Promise<DocumentMap>;
  /** Where things stand, with what is on disk and without adding to it. */
  look(snapshot: Snapshot): Promise<DocumentMap>;
  /** How many skills were read since the beginning. */
  added(): number;
  /** Whether skills are being read. */
  isGrowing(): boolean;
  /** Makes everything anew with the next call. */
  forget(): Promise<void>;
  /** What went wrong on the way, in words. None of it keeps a search from being answered. */
  notes(): readonly string[];
  /** Resolves when all that is known is kept on disk. */
  settled(): Promise<void>;
  close(): void;
}
