import { describe, expect, it } from 'vitest';
import { embedderChoiceOf } from './embedder-choice.ts';

const none = { embeddingsUrl: undefined, embeddingsModel: undefined, embeddingsKey: undefined };
const service = { ...none, embeddingsUrl: 'http://localhost:11434/v1', embeddingsModel: 'tiny' };

describe('the choice of an embedder', () => {
  it('is the local one where no service is named, whatever else is said', () => {
    expect(embedderChoiceOf(none)).toEqual({ kind: 'local' });
    expect(embedderChoiceOf({ ...service, embeddingsUrl: undefined, embeddingsKey: 'hush' })).toEqual({
      kind: 'local',
    });
  });

  it('is a service where one is named, by its full address', () => {
    const url = 'http://localhost:11434/v1/embeddings';
    expect(embedderChoiceOf(service)).toEqual({ kind: 'http', url, model: 'tiny', key: undefined });
    expect(embedderChoiceOf({ ...service, embeddingsUrl: url, embeddingsKey: 'hush' })).toEqual({
      kind: 'http',
      url,
      model: 'tiny',
      key: 'hush',
    });
  });

  it('is an error where it cannot be made', () => {
    const wrong = (hint: RegExp) =>
      expect.objectContaining({ code: expect.stringMatching(/usage|config/), hint: expect.stringMatching(hint) });
    expect(() => embedderChoiceOf({ ...service, embeddingsModel: undefined })).toThrow(wrong(/--embeddings-model/));
    expect(() => embedderChoiceOf({ ...service, embeddingsUrl: 'localhost' })).toThrow(wrong(/embeddings_url/));
  });
});
