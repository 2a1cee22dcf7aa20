import { oneLine } from '../../core/text/text.ts';
import type { Finishing } from './command.ts';

/** Saves the index that a command has built, after its result is printed: only the next command waits for it. */
export async function keepIndex({ engine, request, terminal }: Omit<Finishing<unknown>, 'output'>): Promise<void> {
  request.onProgress?.({ what: 'Saving the index' });
  const { searcherOf } = await import('../../engine/searching/searcher.ts');
  for (const note of await searcherOf(engine).settled()) terminal.note(`note: ${oneLine(note)}\n`);
}
