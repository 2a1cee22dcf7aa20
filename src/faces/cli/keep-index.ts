import { oneLine } from '../../core/text.ts';
import type { Finishing } from './command.ts';

/** Keeps what a command has indexed, once its result is printed: nobody waits for it, except the next command. */
export async function keepIndex({ engine, request, terminal }: Omit<Finishing<unknown>, 'output'>): Promise<void> {
  request.onProgress?.({ what: 'Saving the index' });
  const { searcherOf } = await import('../../engine/searching/searcher.ts');
  for (const note of await searcherOf(engine).settled()) terminal.note(`note: ${oneLine(note)}\n`);
}
