/** Many short texts, as they are read best: with commas between them, on as few lines as they need. */
export function list(text: string): readonly string[] {
  return text.trim().split(/,\s*/);
}
