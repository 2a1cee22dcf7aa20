import type { Embedder } from './embedder.ts';

/** The nearness of a sentence to an embedding; null if unknown. A service is not asked about single sentences. */
export async function nearnessTo(
  embedding: Float32Array | null,
  embedder: Promise<Embedder> | undefined,
): Promise<((sentence: string) => Promise<number>) | null> {
  const opened = embedding === null ? undefined : await embedder;
  if (embedding === null || opened === undefined || !opened.isNear) return null;
  return async (sentence) => product(embedding, await embeddingOf(opened, sentence));
}

/**
 * Number of sentences whose embeddings are cached, the oldest forgotten first: the same few skills are found again and
 * again.
 */
const mostKept = 4096;
const kept = new Map<string, Float32Array>();

async function embeddingOf(near: Embedder, sentence: string): Promise<Float32Array> {
  const known = kept.get(sentence);
  if (known !== undefined) return known;
  const embedding = await near.query(sentence);
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(sentence, embedding);
  return embedding;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
