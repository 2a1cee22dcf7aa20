import type { Engine } from '../engine/engine.ts';
import { oneLine } from '../kernel/text.ts';
import type { Terminal } from './terminal.ts';

/** Keeps what a command has indexed, once its result is printed: nobody waits for it, except the next command. */
export async function keepIndex({ engine, terminal }: { engine: Engine; terminal: Terminal }): Promise<void> {
  engine.onProgress?.({ what: 'Saving the index' });
  const { searcherOf } = await import('../engine/searching/searcher.ts');
  for (const note of await searcherOf(engine).settled()) terminal.note(`note: ${oneLine(note)}\n`);
}
