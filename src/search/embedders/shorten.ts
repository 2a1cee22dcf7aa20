/** Bytes below which a text is not shortened further: if it is still refused, it is for another reason. */
const leastBytes = 1000;

/** The first bytes of a text, up to the end of a character; without the lone surrogates that JSON cannot carry. */
export function cutTo(text: string, bytes: number): string {
  const all = Buffer.from(text.slice(0, bytes), 'utf8');
  let end = Math.min(bytes, all.length);
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end--;
  return all.toString('utf8', 0, end);
}

/** Splits a request in two: half as many texts each, or half of the only one. Null if it cannot be made smaller. */
export function inHalves(texts: readonly string[]): readonly (readonly string[])[] | null {
  if (texts.length > 1) {
    const middle = Math.ceil(texts.length / 2);
    return [texts.slice(0, middle), texts.slice(middle)];
  }
  const [text = ''] = texts;
  const bytes = Buffer.byteLength(text);
  return bytes > leastBytes ? [[cutTo(text, Math.ceil(bytes / 2))]] : null;
}
