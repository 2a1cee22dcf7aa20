import { createBreath, inBreaths } from '../../kernel/breath.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { openSegment, type Segment } from '../../search/index/segment.ts';
import type { Skill } from '../../skill/types.ts';
import { type Placement, placementSteps } from './placement.ts';

/** The segments at hand, and where the skills of a snapshot stand in them. */
export interface Stock {
  readonly segments: readonly Segment[];
  /** Puts others in the place of all. */
  replace(segments: readonly Segment[]): void;
  /** Adds one more. */
  add(bytes: Uint8Array): Segment;
  place(snapshot: Snapshot): Promise<Placement>;
  /** Where they stand in those segments alone that have directions. */
  placeEmbedded(snapshot: Snapshot): Promise<Placement>;
}

/** Whether meaning can find what is in it. */
export function isEmbedded({ dimensions, documents }: Segment): boolean {
  return dimensions > 0 || documents === 0;
}

/** Who indexes decides which skills are to have a document, of all that a snapshot knows. */
export function createStock(toBeIndexed: (snapshot: Snapshot) => readonly Skill[]): Stock {
  let segments: readonly Segment[] = [];
  let known: { readonly segments: readonly Segment[]; readonly placement: Placement } | undefined;
  const placeIn = (snapshot: Snapshot, some: readonly Segment[]) =>
    inBreaths(placementSteps(snapshot, toBeIndexed(snapshot), some), createBreath());
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
      if (known?.placement.snapshot === snapshot && known.segments === segments) return known.placement;
      const current = segments;
      const placement = await placeIn(snapshot, current);
      known = { segments: current, placement };
      return placement;
    },
    placeEmbedded: (snapshot) => placeIn(snapshot, segments.filter(isEmbedded)),
  };
}
