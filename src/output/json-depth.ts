/** Writers of JSON call themselves for each level, and fall over long before a reader does. */
const deepest = 1000;

/** Whether a JSON text is nested so deeply that what is read from it could not be written again. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  for (const [mark] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}
