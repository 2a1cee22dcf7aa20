import { reasonOf } from '../../core/errors.ts';
import { writeIndexFile } from '../../search/index/file.ts';
import { keyBytes, keyTable } from '../../search/index/key.ts';
import { mergeSegments, type Source } from '../../search/index/merge.ts';
import { openSegment, type Segment } from '../../search/index/segment.ts';

/** Segments to be merged and saved; plain data and shared memory, so that a thread can do it. */
export interface MergeJob {
  readonly segments: readonly Uint8Array[];
  /** Keys of all documents that are to be in the result. */
  readonly wanted: Uint8Array;
  /** Path that the result is saved at. */
  readonly file: string;
  readonly maker: string;
}

export interface Merged {
  readonly bytes: Uint8Array;
  /** Reason why the result could not be saved: the next start does the work again. */
  readonly problem?: string;
}

/** Number of segments that are merged in one go: more would have more terms to compare for each that is written. */
const mergedAtOnce = 8;

export async function mergeAndKeep({ segments, wanted, file, maker }: MergeJob): Promise<Merged> {
  const bytes = mergeWanted(segments, wanted);
  try {
    await writeIndexFile(file, maker, bytes);
    return { bytes };
  } catch (error) {
    return { bytes, problem: reasonOf(error) };
  }
}

/**
 * The segments that can be merged: embeddings of other dimensions, from a service that has another model by now, are of
 * no use any more.
 */
function ofOneKind(segments: readonly Segment[]): readonly Segment[] {
  const newest = segments.findLast(({ documents }) => documents > 0);
  return segments.filter(({ dimensions }) => dimensions === newest?.dimensions);
}

/** Merges all segments into one, with each wanted document once. */
function mergeWanted(segments: readonly Uint8Array[], wanted: Uint8Array): Uint8Array {
  const rowOf = keyTable(wanted);
  const isTaken = new Uint8Array(wanted.length / keyBytes);
  let sources: Source[] = ofOneKind(segments.map(openSegment)).map((segment) => {
    const lives = Uint8Array.from({ length: segment.documents }, (_, document) => {
      const row = rowOf(segment.parts.keys, document * keyBytes);
      if (row === -1 || isTaken[row] === 1) return 0;
      isTaken[row] = 1;
      return 1;
    });
    return { segment, lives: (document) => lives[document] === 1 };
  });
  while (sources.length > mergedAtOnce) {
    const groups: Source[] = [];
    for (let at = 0; at < sources.length; at += mergedAtOnce) {
      groups.push({ segment: openSegment(mergeSegments(sources.slice(at, at + mergedAtOnce))) });
    }
    sources = groups;
  }
  return mergeSegments(sources);
}
