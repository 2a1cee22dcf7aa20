import type { SlicedTask } from '../../core/time-slice.ts';
import { normalised } from '../model/embed.ts';
import { quantize } from '../vectors/quantize.ts';
import type { Collection } from './collection.ts';

/** Scores how near every document is to an embedding, from −1 to 1. */
export function* scoreMeaning({ parts, documents }: Collection, embedding: Float32Array): SlicedTask<Float32Array> {
  const scores = new Float32Array(documents);
  const query = new Int8Array(embedding.length);
  const scale = quantize(embedding, query, 0);
  if (scale === 0) return scores;
  for (const part of parts) {
    const { segment, first } = part;
    if (segment.dimensions !== query.length) continue; // made while nothing could be embedded
    yield;
    const products = part.scanner.scan(query);
    for (let at = 0; at < segment.documents; at++) {
      scores[first + at] = (products[at] as number) * (segment.scales[at] as number) * scale;
    }
  }
  return scores;
}

/** Share by which a query moves towards its first hits, at most. */
const pull = 0.5;
/** Words beyond which it moves less and less: a whole paragraph says where it wants to go. */
const fewWords = 10;

export interface FirstLook {
  /** The best hits by words and embedding together. */
  readonly first: readonly number[];
  /** Doubt from 0, where words have found exactly what was asked for, to 1. */
  readonly doubt: number;
  /** Number of words in the query. */
  readonly words: number;
}

/**
 * The embedding of a query after a first search: what the best hits have in common says more about the subject than a
 * few words do, above all in another language.
 */
export function rocchioFeedback(
  { parts }: Collection,
  embedding: Float32Array,
  { first, doubt, words }: FirstLook,
): Float32Array {
  const strength = pull * doubt * Math.min(1, fewWords / words);
  const drawn = Float32Array.from(embedding);
  for (const document of first) {
    const part = parts.findLast((one) => one.first <= document);
    if (part === undefined || part.segment.dimensions !== drawn.length) continue;
    const { segment } = part;
    const at = document - part.first;
    const share = (strength / first.length) * (segment.scales[at] as number);
    for (let index = 0; index < drawn.length; index++) {
      drawn[index] = (drawn[index] as number) + share * (segment.vectors[at * drawn.length + index] as number);
    }
  }
  return normalised(drawn);
}
