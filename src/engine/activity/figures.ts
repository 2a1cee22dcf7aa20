import { count as countSchema, type Infer, object, text } from '../../core/schema/schema.ts';
import { byText } from '../../core/text/text.ts';

export const countedSchema = object({ name: text(), count: countSchema() });
export type Counted = Infer<typeof countedSchema>;

/** Maximum number of names that are reported: nobody reads more. */
const mostNames = 50;

/** Sorts names by how often they occurred, the most frequent first. */
export function ranked<T extends Counted>(counted: Iterable<T>): readonly T[] {
  return [...counted].sort((a, b) => b.count - a.count || byText(a.name, b.name)).slice(0, mostNames);
}

export function rankedCounts(counts: ReadonlyMap<string, number>): readonly Counted[] {
  return ranked([...counts].map(([name, count]) => ({ name, count })));
}

export function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** A percentile by nearest rank: the smallest value that `share` per cent do not exceed. The values must be sorted. */
export function percentile(ordered: ArrayLike<number>, share: number): number {
  const rank = Math.ceil((share / 100) * ordered.length);
  return ordered[Math.max(0, rank - 1)] ?? 0;
}

/** Sorts numbers: a typed array compares them as numbers, and sorts in place. */
export function ordered(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
