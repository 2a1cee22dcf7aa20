import { count as countSchema, type Infer, object, text } from '../../core/schema.ts';
import { byText } from '../../core/text.ts';

export const countedSchema = object({ name: text(), count: countSchema() });
export type Counted = Infer<typeof countedSchema>;

/** Names beyond these are not told: nobody reads them. */
const mostNames = 50;

/** How often each name came, those that came most first. */
export function ranked<T extends Counted>(counted: Iterable<T>): readonly T[] {
  return [...counted].sort((a, b) => b.count - a.count || byText(a.name, b.name)).slice(0, mostNames);
}

export function rankedCounts(counts: ReadonlyMap<string, number>): readonly Counted[] {
  return ranked([...counts].map(([name, count]) => ({ name, count })));
}

export function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** By the nearest rank: the smallest value that so many in a hundred do not exceed. The values must be in order. */
export function percentile(ordered: ArrayLike<number>, share: number): number {
  const rank = Math.ceil((share / 100) * ordered.length);
  return ordered[Math.max(0, rank - 1)] ?? 0;
}

/** Numbers in order: as a typed array they are sorted as numbers, and in place. */
export function ordered(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
