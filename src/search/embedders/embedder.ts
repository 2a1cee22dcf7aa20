import type { EmbeddedParts } from '../model/embed.ts';
import type { NearWords } from '../model/near-words.ts';

/** Makes embeddings of texts: near ones for texts that mean nearly the same. */
export interface Embedder {
  /** Identifier that changes whenever a text could get another embedding; part of the key of every index. */
  readonly id: string;
  /** Whether an embedding costs next to nothing, so that single sentences are worth one. */
  readonly isNear: boolean;
  /** Embeds a query; the vector has length 1. */
  query(text: string): Promise<Float32Array>;
  /** Embeds skills, in their order; vectors have length 1. All have the same dimensions, a multiple of 16. */
  skills(skills: readonly EmbeddedParts[]): Promise<Float32Array[]>;
  /** Corrects a typing error in a word, where the embedder has a list of words; `undefined` for a word without one. */
  readonly correction?: (word: string) => string | undefined;
  /** Prepares the second pass over the first hits, where the embedder has embeddings of single words. */
  readonly lookCloser?: (question: string, embedding: Float32Array) => CloserLook;
}

export interface CloserLook {
  /** Compares texts with the question word by word. */
  readonly nearWords: NearWords;
  /** Score of how much the question sounds like a task for a skill, from −3 to 3. */
  readonly likeness: number;
}

/** The source of embeddings, as configured. Plain data, so that it can be handed to another thread. */
export type EmbedderChoice = { readonly kind: 'local' } | HttpEmbedderChoice;

/** An endpoint that speaks the OpenAI format of embeddings. */
export interface HttpEmbedderChoice {
  readonly kind: 'http';
  readonly url: string;
  readonly model: string;
  /** API key, sent as a bearer token if there is one. */
  readonly key?: string | undefined;
}

/** The id of the embedder that an index was made with, without opening it. */
export function embedderId(choice: EmbedderChoice): string {
  return choice.kind === 'local' ? `local:${localTableDigest}` : `http:${choice.url}#${choice.model}`;
}

/** The digest of the table that comes with the package. */
export const localTableDigest = 'ec08f6f7ee5a52761810627b14f4b36e622392e2ce4bd0ce9f7115be07c604fd';
