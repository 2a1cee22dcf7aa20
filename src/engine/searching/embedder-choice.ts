import type { Settings } from '../../core/config/settings.ts';
import { SkillError } from '../../core/errors.ts';
import { refuseOffline } from '../../get/connect/target.ts';
import type { EmbedderChoice } from '../../search/embedders/embedder.ts';
import { endpointOf } from '../../search/embedders/endpoint.ts';

type Embeddings = Pick<Settings, 'embeddingsUrl' | 'embeddingsModel' | 'embeddingsKey'> &
  Partial<Pick<Settings, 'offline'>>;

/**
 * The embedder that the settings choose; throws where these cannot be meant. A base and the full address below it come
 * out as one choice, so that they share an index.
 */
export function embedderChoiceOf({
  embeddingsUrl,
  embeddingsModel,
  embeddingsKey,
  offline,
}: Embeddings): EmbedderChoice {
  if (embeddingsUrl === undefined) return { kind: 'local' };
  if (embeddingsModel === undefined) {
    throw new SkillError('config', 'an embeddings service is set, but no model', {
      hint: 'Give one with --embeddings-model, REPERTOIRE_EMBEDDINGS_MODEL, or embeddings_model in your user file.',
    });
  }
  const { url, model, key } = endpointOf({
    kind: 'http',
    url: embeddingsUrl,
    model: embeddingsModel,
    key: embeddingsKey,
  });
  refuseOffline(url, offline === true);
  return { kind: 'http', url, model, key };
}
