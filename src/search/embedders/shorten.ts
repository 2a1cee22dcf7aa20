/** Shorter ones are not made shorter still: what is refused now is refused for another reason. */
const leastBytes = 1000;

/** The first bytes of a text, up to the end of a character; without the halves of characters that JSON cannot carry. */
export function cutTo(text: string, bytes: number): string {
  const all = Buffer.from(text.slice(0, bytes), 'utf8');
  let end = Math.min(bytes, all.length);
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end--;
  return all.toString('utf8', 0, end);
}

/** Less to ask for: half as many texts, or half of the one there is. Null if there is no less. */
export function inHalves(texts: readonly string[]): readonly (readonly string[])[] | null {
  if (texts.length > 1) {
    const middle = Math.ceil(texts.length / 2);
    return [texts.slice(0, middle), texts.slice(middle)];
  }
  const [text = ''] = texts;
  const bytes = Buffer.byteLength(text);
  return bytes > leastBytes ? [[cutTo(text, Math.ceil(bytes / 2))]] : null;
}
