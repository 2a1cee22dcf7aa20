/**
 * JSON handled as text, which keeps every digit of large numbers and needs no recursion. The texts have been read as
 * JSON before. Scanned by hand, because a regular expression overflows its stack on a long string full of escapes.
 */
function* tokensOf(json: string): Generator<string> {
  for (let at = 0; at < json.length; ) {
    const from = at;
    const first = json[at++] as string;
    if (blanks.has(first)) continue;
    if (first === '"') at = endOfString(json, at);
    else if (pairs.has(json.slice(from, at + 1))) at++;
    else if (!marks.has(first)) while (at < json.length && !ends.has(json[at] as string)) at++;
    yield json.slice(from, at);
  }
}

const blanks = new Set(' \t\r\n');
const marks = new Set('[]{},:');
const ends = new Set([...blanks, ...marks]);
const pairs = new Set(['[]', '{}']);

function endOfString(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Writers of JSON call themselves for each level, and overflow the stack long before a reader does. */
const deepest = 1000;

/** Whether a text is nested so deeply that what is read from it could not be written again. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  for (const mark of tokensOf(json)) {
    if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}

/** Whether it has whole numbers that a program does not read exactly, or numbers that it cannot read at all. */
export function hasLargeNumber(json: string): boolean {
  for (const one of tokensOf(json)) if (isLarge(one)) return true;
  return false;
}

function isLarge(token: string): boolean {
  if (!/^-?\d/.test(token)) return false;
  const value = Number(token);
  return !Number.isFinite(value) || (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(value));
}

/** A character outside of the first 65,536 as two escapes; one of the two alone; any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\[\s\S]/g;

/**
 * Without halves of characters, which JSON may hold as escapes and no text can: jq takes them for a mistake, and so do
 * many programs that read JSON.
 */
export function withoutHalves(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json;
  return json.replace(escapes, (found: string, half?: string) => (half === undefined ? found : '\\ufffd'));
}

/** Compact JSON over several lines, indented by two blanks. Undefined where that would be longer than allowed. */
export function indented(json: string, longest: number): string | undefined {
  let [text, depth] = ['', 0];
  const newLine = () => `\n${'  '.repeat(depth)}`;
  const written: Readonly<Record<string, (one: string) => string>> = {
    ',': () => `,${newLine()}`,
    ':': () => ': ',
    '[': opened,
    '{': opened,
    ']': closed,
    '}': closed,
  };
  function opened(one: string): string {
    depth++;
    return one + newLine();
  }
  function closed(one: string): string {
    depth--;
    return newLine() + one;
  }
  for (const one of tokensOf(json)) {
    text += Object.hasOwn(written, one) ? written[one]?.(one) : one;
    if (text.length > longest) return undefined;
  }
  return text;
}
