import type { Json } from '../edit/types.ts';
import { isMap } from '../edit/values.ts';

/** This program, by whatever path, package manager or shell it is started. */
const program = /(?:^|[\\/\s])repertoire(?:[@:\s]|$|[\\/]dist[\\/])|[\\/]dist[\\/]cli[\\/]bin\.cjs$/;

/** The words that an entry starts a process with; none where it goes to an address, or says nothing. */
export function wordsOf(entry: Json | undefined): readonly string[] {
  if (!isMap(entry)) return [];
  const words = [entry['command'] ?? entry['cmd'] ?? [], entry['args'] ?? []].flat();
  return words.filter((word) => typeof word === 'string');
}

/** Whether these words start this program. */
export function startUs(words: readonly string[]): boolean {
  return words.some((word) => program.test(word));
}
