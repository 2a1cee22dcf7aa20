const mostRepetitions = 2;
const longest = 300;

/**
 * Whether a text matches, as far as that can be told here. An expression is a stranger's and may take for ever, and nothing
 * in a page can break it off. So only plain ones are tried; the server, which can, tries all.
 */
export function matches(pattern: string, text: string): boolean {
  if (!isPlain(pattern) || text.length > longest) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** Few repetitions, none of them around others, and no looking back: it cannot take long. */
export function isPlain(pattern: string): boolean {
  const bare = pattern
    .replace(/\\[pP]\{[^}]*\}/g, 'x')
    .replace(/\\[^1-9k]/g, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  if (bare.includes('\\') || /\)[*+?{]|\(\?[=!<]/.test(bare)) return false;
  return (bare.replaceAll('(?', '(').match(/[*+?{]/g)?.length ?? 0) <= mostRepetitions;
}
