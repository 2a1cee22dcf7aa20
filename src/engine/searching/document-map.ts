import { each, type SlicedTask } from '../../core/time-slice.ts';
import type { Scan } from '../../discovery/scan.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { keyBytes, writeKey } from '../../search/index/key.ts';
import type { Segment } from '../../search/index/segment.ts';
import { type Collection, collectionOf } from '../../search/rank/collection.ts';
import type { Skill } from '../../skill/types.ts';
import { namesOf, toolMarkOf } from './source.ts';

/** The documents of a snapshot's skills in an index. */
export interface DocumentMap {
  readonly snapshot: Snapshot;
  /** Skills that are to have a document, and their keys. */
  readonly indexed: readonly Skill[];
  readonly keys: Buffer;
  /** Skills without a document, by their place in that list, each text once. */
  readonly missing: readonly number[];
  readonly collection: Collection;
  /** Number of visible skills that can be found. */
  readonly ready: number;
  /** Documents of the visible skills, in their order; −1 where there is none. */
  readonly documents: Int32Array;
  /** The place, among all visible skills, of the strongest that a document stands for. */
  rowOf(document: number): number;
  /** The visible skills that a document stands for, strongest first. */
  ownersOf(document: number): Skill[];
}

const none = -1;

/** Finds skills among the documents of some segments: all that are visible, and perhaps others of the same snapshot. */
export function* documentMapSteps(
  snapshot: Snapshot,
  indexed: readonly Skill[],
  segments: readonly Segment[],
): SlicedTask<DocumentMap> {
  const { visible } = snapshot;
  const keys = Buffer.alloc(indexed.length * keyBytes);
  const firsts = firstsOf(segments);
  const missing = new Map<string, number>();
  const total = firsts.at(-1) as number;
  const lives = new Uint8Array(total);
  /** Documents of the visible skills. These stand in the same order, so that one walk sees both. */
  const documents = new Int32Array(visible.length).fill(none);
  let [at, row, ready] = [0, 0, 0];
  yield* each(indexed, (skill) => {
    const offset = at * keyBytes;
    writeKey(keys, offset, skill.digest, keyTextOf(skill, snapshot.scan.folders));
    const document = documentIn(segments, firsts, keys, offset);
    if (document === none) missing.set(keys.toString('latin1', offset, offset + keyBytes), at);
    at++;
    if (visible[row] !== skill) return;
    documents[row++] = document;
    if (document === none) return;
    ready++;
    lives[document] = 1;
  });
  const { heads, next } = yield* ownerSteps(documents, total);
  return {
    snapshot,
    indexed,
    keys,
    missing: [...missing.values()],
    collection: collectionOf(segments, lives),
    ready,
    documents,
    rowOf: (document) => heads[document] as number,
    ownersOf(document) {
      const owners: Skill[] = [];
      for (let one = heads[document] as number; one !== none; one = next[one] as number) {
        owners.push(visible[one] as Skill);
      }
      return owners;
    },
  };
}

/** The part of a skill's key beside its text: its names, and the mark of its tools' sources. */
export function keyTextOf(skill: Skill, folders: Scan['folders']): string {
  const mark = toolMarkOf(skill, folders);
  return mark === '' ? namesOf(skill) : `${namesOf(skill)}\n${mark}`;
}

/** Lists of the skills that share a document: where each list begins, and what follows in it. */
function* ownerSteps(documents: Int32Array, total: number): SlicedTask<{ heads: Int32Array; next: Int32Array }> {
  const heads = new Int32Array(total).fill(none);
  const next = new Int32Array(documents.length).fill(none);
  // Weakest first, so that each list begins with the strongest.
  for (let row = documents.length - 1; row >= 0; row--) {
    if (row % stride === 0) yield;
    const document = documents[row] as number;
    if (document === none) continue;
    next[row] = heads[document] as number;
    heads[document] = row;
  }
  return { heads, next };
}
const stride = 10_000;

/** The number of the first document of each segment, and of the one after the last. */
function firstsOf(segments: readonly Segment[]): number[] {
  const firsts = [0];
  for (const { documents } of segments) firsts.push((firsts.at(-1) as number) + documents);
  return firsts;
}

function documentIn(segments: readonly Segment[], firsts: readonly number[], keys: Uint8Array, offset: number): number {
  for (let at = 0; at < segments.length; at++) {
    const document = (segments[at] as Segment).find(keys, offset);
    if (document !== none) return (firsts[at] as number) + document;
  }
  return none;
}

/** Limits on documents of skills that are gone: an index with more of them is rewritten without them. */
const most = { dead: 1000, deadShare: 0.5 } as const;

export function isMostlyDead({ collection, indexed }: DocumentMap): boolean {
  const dead = collection.documents - indexed.length;
  return dead > most.dead && dead > most.deadShare * collection.documents;
}
