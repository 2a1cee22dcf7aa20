import { SkillError } from '../../../core/errors.ts';

/** One page of a list, in the shape that the protocol gives it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/**
 * Makes a cursor that holds the key of the last item given. The next page starts behind that key, whatever was added or
 * removed meanwhile: items that stayed are neither given twice nor left out.
 */
export function cursorAfter(list: string, key: string): string {
  return Buffer.from(`${list}\n${key}`).toString('base64url');
}

/** The key that a cursor of this list holds; undefined for the first page. */
export function keyIn(list: string, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(String(cursor), 'base64url').toString('utf8');
  const key = text.slice(list.length + 1);
  if (text.startsWith(`${list}\n`) && cursorAfter(list, key) === cursor) return key;
  const hint = 'Ask for the first page, without a cursor, and take the cursor of each page from the one before.';
  throw new SkillError('usage', 'Invalid cursor: not a cursor from this list', { hint });
}

/** The index of the first item behind this key in a list sorted by its keys. */
export function indexAfter<T>(sorted: readonly T[], keyOf: (item: T) => string, key: string | undefined): number {
  if (key === undefined) return 0;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(sorted[middle] as T) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The page of a sorted list that a cursor points to. */
export function pageOf<T>(
  list: string,
  sorted: readonly T[],
  keyOf: (item: T) => string,
  { cursor, size }: { readonly cursor: string | undefined; readonly size: number },
): Page<T> {
  const start = indexAfter(sorted, keyOf, keyIn(list, cursor));
  const items = sorted.slice(start, start + size);
  const last = items.at(-1);
  if (last === undefined || start + size >= sorted.length) return { items };
  return { items, nextCursor: cursorAfter(list, keyOf(last)) };
}
