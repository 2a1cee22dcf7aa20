import type { Embedder } from '../../src/search/embedders/embedder.ts';
import { createHttpEmbedder, type HttpLimits, usualLimits } from '../../src/search/embedders/http.ts';
import { type EmbeddingsService, type Respond, startEmbeddingsService } from './embeddings-service.ts';

export const key = 'sk-very-secret-0123456789';
export const text = 'unmistakable words of a private skill';
const quick = { pauseMs: 1, tryMs: 20_000, totalMs: 20_000 };
/** The usual ones, without pauses that a test would wait for. */
export const limits: HttpLimits = {
  query: { ...usualLimits.query, ...quick },
  skills: { ...usualLimits.skills, ...quick },
};

/** An embedder, and the service that it asks. */
export async function serving(
  respond: Respond,
  { given = limits, secret = key }: { readonly given?: HttpLimits; readonly secret?: string | null } = {},
): Promise<{ service: EmbeddingsService; embedder: Embedder }> {
  const service = await startEmbeddingsService(respond);
  const choice = { kind: 'http', url: service.url, model: 'tiny', key: secret ?? undefined } as const;
  return { service, embedder: createHttpEmbedder(choice, given) };
}

/** Numbers in base64, as some services send them. */
export function base64(numbers: readonly number[]): string {
  return Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
}
