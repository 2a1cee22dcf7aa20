import { createSlicer, runSliced } from '../../core/time-slice.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { openSegment, type Segment } from '../../search/index/segment.ts';
import type { Skill } from '../../skill/types.ts';
import { type DocumentMap, documentMapSteps } from './document-map.ts';

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
