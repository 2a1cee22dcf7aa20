import { fold } from '../kernel/text.ts';

/** The words of a query: folded, split on whitespace, each once. */
export function tokensOf(query: string): readonly string[] {
  return [
    ...new Set(
      fold(query)
        .split(/\s+/u)
        .filter((token) => token !== ''),
    ),
  ];
}
