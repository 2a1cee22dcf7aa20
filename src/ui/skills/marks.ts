export interface Part {
  readonly text: string;
  readonly isMarked: boolean;
}

const mostWords = 20;
const common = new Set(
  'a an and are as at be by can do for from how i in is it my of on or that the this to what when with you your'.split(
    ' ',
  ),
);
/** Written without spaces, so that a word may stand anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits a text at the words of a query. Endings are left open: a search finds `forms` by `form`, and so does the eye. */
export function markedParts(text: string, query: string): readonly Part[] {
  const patterns = wordsOf(query).map(patternOf);
  if (patterns.length === 0) return [{ text, isMarked: false }];
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    if (index > end) parts.push({ text: text.slice(end, index), isMarked: false });
    parts.push({ text: found, isMarked: true });
    end = index + found.length;
  }
  return end < text.length ? [...parts, { text: text.slice(end), isMarked: false }] : parts;
}

function wordsOf(query: string): readonly string[] {
  const all = query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const telling = all.filter((word) => !common.has(word));
  return [...new Set(telling.length > 0 ? telling : all)].slice(0, mostWords);
}

/** Only letters and digits come in here, so nothing needs to be escaped. */
function patternOf(word: string): string {
  if (unspaced.test(word)) return word;
  const stem = word.replace(/(?:ing|ed|es|s)$/, '');
  const beginning = stem.length >= 4 ? stem : word;
  return `(?<![\\p{L}\\p{N}])${beginning}${beginning.length >= 3 ? '[\\p{L}\\p{N}\\p{M}]*' : '(?![\\p{L}\\p{N}])'}`;
}
