import { createSlicer, runSliced } from '../../core/time-slice.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { openSegment, type Segment } from '../../search/index/segment.ts';
import type { Skill } from '../../skill/types.ts';
import { type DocumentMap, documentMapSteps } from './document-map.ts';

/** The segments at hand, and where the skills of a snapshot stand in them. */
export interface SegmentStore {
  readonly segments: readonly Segment[];
  /** Puts others in the place of all. */
  replace(segments: readonly Segment[]): void;
  /** Adds one more. */
  add(bytes: Uint8Array): Segment;
  place(snapshot: Snapshot): Promise<DocumentMap>;
  /** Where they stand in those segments alone that have directions. */
  placeEmbedded(snapshot: Snapshot): Promise<DocumentMap>;
}

/** Whether meaning can find what is in it. */
export function isEmbedded({ dimensions, documents }: Segment): boolean {
  return dimensions > 0 || documents === 0;
}

/** Who indexes decides which skills are to have a document, of all that a snapshot knows. */
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
      // Whoever is looked for is found in the first: better one with a direction.
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
