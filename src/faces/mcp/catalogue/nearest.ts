import { fold } from '../../../core/text.ts';
import type { CatalogueEntry } from './types.ts';

/** More is no question, and would be compared with every skill. */
const mostAsked = 200;

/**
 * The skills that speak of what was asked for before all others: first those that hold the most of its words. A model
 * that knows no name, and has no tool that searches, finds one so.
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
