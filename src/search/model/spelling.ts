import type { Table } from './table.ts';

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
/** Words that may be typing errors: shorter ones are too near to too many others. */
const plainWord = /^[a-z]{5,24}$/;

/**
 * The word that another one is most likely a slip of: the commonest in the table that is one error away, but not in its
 * first letter, which hardly anybody gets wrong. `undefined` for a word that the table knows, or that is near to none.
 */
export function correction(table: Pick<Table, 'placeOf'>, written: string): string | undefined {
  const word = written.toLowerCase();
  if (!plainWord.test(word) || table.placeOf(word) !== -1) return undefined;
  let best: { readonly word: string; readonly place: number } | undefined;
  for (const one of slipsOf(word)) {
    const place = table.placeOf(one);
    if (place !== -1 && place < (best?.place ?? Number.POSITIVE_INFINITY)) best = { word: one, place };
  }
  return best?.word;
}

function* slipsOf(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    for (const letter of letters) yield before + letter + word.slice(at);
    if (at === word.length) return;
    yield before + after;
    if (at > 1) yield before.slice(0, -1) + word[at] + before.at(-1) + after;
    for (const letter of letters) yield before + letter + after;
  }
}
