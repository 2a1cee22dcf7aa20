/** The longest escape that is looked for on either side: two halves of a character in JSON. Those of terminals are shorter. */
const reach = 32;

/** What stands for something else as a whole: `\n`, `\u00e9`, two such halves of one character, a colour of a terminal. */
const sequence =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[^[]/g;

/** Where the escape sequence begins and ends in the midst of which a place is; the place itself if there is none. */
export function spanAround(text: string, at: number): [number, number] {
  const start = beginning(text, Math.max(0, at - reach));
  for (const found of text.slice(start, at + reach).matchAll(sequence)) {
    const from = start + found.index;
    const to = from + found[0].length;
    if (from >= at) break;
    if (to > at) return [from, to];
  }
  return [at, at];
}

/** A place near this one that is not behind half a pair of backslashes. */
function beginning(text: string, at: number): number {
  let run = at;
  while (run > 0 && text[run - 1] === '\\') run--;
  return at - ((at - run) % 2);
}
