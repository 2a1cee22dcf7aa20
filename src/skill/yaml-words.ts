import { oneLine } from '../kernel/text.ts';

/** By far the commonest mistake; some agents mend it as we do. */
export const colonInValue = 'an unquoted value contains ": ", which YAML reads as a field of its own';

/** What the parser says, and what an author understands. */
const plainer: readonly (readonly [RegExp, string])[] = [
  [/^Nested mappings are not allowed/, colonInValue],
  [/^Tabs are not allowed/, 'the line is indented by a tab, which YAML forbids'],
  [/^Missing closing .quote/, 'a quote is opened but never closed'],
  [/^Unexpected .* at node end/, 'there is more text after the end of the value'],
  [/^Implicit (?:map )?keys need to be/, 'the line is neither key: value nor part of a value'],
];

/** A complaint of the YAML parser in words that help. */
export function inPlainWords(message: string): string {
  const first = oneLine(message.split('\n')[0] ?? '').replace(/[.:]+$/, '');
  return plainer.find(([pattern]) => pattern.test(first))?.[1] ?? first;
}
