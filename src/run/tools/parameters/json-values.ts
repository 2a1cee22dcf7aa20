import { type Parsed, parsed, problem } from '../../../core/schema/parsed.ts';
import type { Json } from '../../../skill/types.ts';

const most = { depth: 16, nodes: 2000 } as const;
const simplify = 'Simplify it.';

/** A value of a manifest as JSON, if it is that, and of a size that people write. */
export function jsonOf(value: unknown): Parsed<Json> {
  const budget = { nodes: most.nodes };
  try {
    return parsed(converted(value, 0, budget));
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error), simplify);
  }
}

function converted(value: unknown, depth: number, budget: { nodes: number }): Json {
  if (depth > most.depth) throw new Error(`nested deeper than ${most.depth} levels`);
  if (--budget.nodes < 0) throw new Error(`more than ${most.nodes} values`);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => converted(item, depth + 1, budget));
  if (typeof value === 'object' && !(value instanceof Date)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, converted(item, depth + 1, budget)]));
  }
  throw new Error('a date, an infinite number or the like, which JSON has no way to write');
}
