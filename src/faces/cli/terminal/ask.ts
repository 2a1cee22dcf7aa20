import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

/** Asks a person; anything but a clear yes is a no. */
export async function ask(question: string, terminal: Terminal): Promise<boolean> {
  terminal.note(`${question} [y/N] `);
  const lines = createInterface({ input: process.stdin });
  try {
    const answer = await Promise.race([
      lines.question(''),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ]);
    return /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
}
