import type { ReadOutput } from '../../engine/operations/read.ts';

/** Reads a file part by part: so many of them, or until it ends. */
export async function readParts(
  readAt: (offset: number) => Promise<ReadOutput>,
  count: number,
): Promise<readonly ReadOutput[]> {
  const parts: ReadOutput[] = [];
  for (let offset: number | null = 0; offset !== null && parts.length < count; ) {
    const part = await readAt(offset);
    parts.push(part);
    // An offset that does not go forward would be asked for for ever.
    offset = part.nextOffset !== null && part.nextOffset > offset ? part.nextOffset : null;
  }
  return parts;
}

export function joined(parts: readonly ReadOutput[]): string {
  return parts.map(({ content }) => content).join('');
}
