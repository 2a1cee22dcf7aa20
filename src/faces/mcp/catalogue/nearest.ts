import { fold } from '../../../core/text/text.ts';
import type { CatalogueEntry } from './weight.ts';

/** Characters of the query that are compared; a longer text would take long, and is not a question. */
const mostAsked = 200;

/**
 * Sorts the skills by the number of query words they hold, most first. This is how a model finds one that knows no
 * name, and has no tool that searches.
 */
export function nearestFirst(entries: readonly CatalogueEntry[], asked: string): readonly CatalogueEntry[] {
  const words = [...new Set(fold(asked.slice(0, mostAsked)).match(/[\p{L}\p{N}]{3,}/gu))];
  if (words.length === 0) return entries;
  const byHits = Array.from({ length: words.length + 1 }, (): CatalogueEntry[] => []);
  for (const entry of entries) {
    const text = fold(`${entry.name} ${entry.description}`);
    byHits[words.filter((word) => text.includes(word)).length]?.push(entry);
  }
  return byHits.reverse().flat();
}
