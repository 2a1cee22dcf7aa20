import { SkillError } from '../../core/errors.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { createSieve } from '../../search/exact/sieve.ts';
import type { Skill } from '../../skill/types.ts';
import type { Engine } from '../engine.ts';
import type { DocumentMap } from './document-map.ts';
import { searcherOf } from './searcher.ts';

/** Number of skills from which the index is used: a few files are read as quickly as an index is opened. */
const manySkills = 200;

/** The skills that an exact search must read: the index, as far as there is one, knows which cannot match. */
export async function sifted(engine: Engine, snapshot: Snapshot, tokens: readonly string[]): Promise<readonly Skill[]> {
  const { visible } = snapshot;
  // The files count, and not what the index knows of them, where changes are not watched for.
  if (visible.length < manySkills || !engine.configuration.values.autoRefresh) return visible;
  const documentMap = await lookedUp(engine, snapshot);
  if (documentMap === null) return visible;
  const mayHold = createSieve(documentMap.collection, tokens);
  return visible.filter((_, row) => {
    const document = documentMap.documents[row] as number;
    return document === -1 || mayHold(document);
  });
}

/** The documents of the skills; null if the embedder is misconfigured, which does not matter to an exact search. */
async function lookedUp(engine: Engine, snapshot: Snapshot): Promise<DocumentMap | null> {
  try {
    return await searcherOf(engine).look(snapshot);
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}
