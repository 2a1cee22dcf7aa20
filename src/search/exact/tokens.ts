import { foldText } from '../text/folded.ts';

/** The words of a query: folded, split on whitespace, each once. */
export function tokensOf(query: string): readonly string[] {
  return [
    ...new Set(
      foldText(query)
        .text.split(/\s+/u)
        .filter((token) => token !== ''),
    ),
  ];
}
