import { statOf } from '../../core/disk/files.ts';
import { SkillError } from '../../core/errors.ts';
import { count, flag, type Infer, nullable, object, text } from '../../core/schema/schema.ts';
import { type EmbedderChoice, embedderId } from '../../search/embedders/embedder.ts';
import { makerOf } from '../../search/index/file.ts';
import type { Engine } from '../engine.ts';
import { embedderChoiceOf } from './embedder-choice.ts';
import { indexFiles } from './files.ts';
import { searcherOf } from './searcher.ts';

/** The state of the index. */
export const indexHealthSchema = object({
  ready: count('How many of the visible skills can be found.'),
  total: count(),
  growing: flag('Whether more are being read.'),
  // Name of the embedder.
  embedder: text(),
  path: nullable(text(), 'Null where nothing is stored on disk yet.'),
  bytes: nullable(count()),
});
export type IndexHealth = Infer<typeof indexHealthSchema>;

/** Inspects the index as it is, and adds nothing to it. */
export async function indexHealth(engine: Engine): Promise<IndexHealth> {
  const snapshot = await engine.registry.snapshot();
  const total = snapshot.visible.length;
  const choice = choiceOf(engine);
  if (typeof choice === 'string') {
    return { ready: 0, total, growing: false, embedder: choice, path: null, bytes: null };
  }
  const searcher = searcherOf(engine);
  const { ready } = await searcher.look(snapshot);
  const { file } = indexFiles(engine.environment, makerOf(embedderId(choice))).targetFor(snapshot.scan);
  const stats = statOf(file);
  const kept = stats.ok ? { path: file, bytes: stats.value.size } : { path: null, bytes: null };
  return { ready, total, growing: searcher.isGrowing(), embedder: nameOf(choice), ...kept };
}

/** The embedder that the settings choose, or what is wrong with them: that is no reason to report nothing else. */
function choiceOf({ configuration }: Engine): EmbedderChoice | string {
  try {
    return embedderChoiceOf(configuration.values);
  } catch (error) {
    if (error instanceof SkillError) return error.message;
    throw error;
  }
}

/** The name of an embedder, without whatever else its address may hold. */
function nameOf(choice: EmbedderChoice): string {
  return choice.kind === 'local' ? 'built in' : `${choice.model} at ${new URL(choice.url).host}`;
}
