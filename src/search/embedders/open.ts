import type { Embedder, EmbedderChoice } from './embedder.ts';

/** Opens the configured embedder; what the other one needs is not even loaded. */
export async function openEmbedder(choice: EmbedderChoice): Promise<Embedder> {
  if (choice.kind === 'local') {
    const { openLocalEmbedder } = await import('./local.ts');
    return openLocalEmbedder();
  }
  const { createHttpEmbedder } = await import('./http.ts');
  return createHttpEmbedder(choice);
}
