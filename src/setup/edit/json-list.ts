import { added, type Box, hasComments, removed } from './box.ts';
import { jsonEditor, memberOf } from './json.ts';
import { type JsonNode, jsonComment, listBox, readJsonText } from './json-read.ts';
import { cutOut, insertAt, lineAt, spliced } from './splice.ts';
import { type Path, Refusal } from './types.ts';

/** Adds texts to a list that are not in it. The list is made where it is not there. */
export function withItems(text: string, at: Path, items: readonly string[]): string {
  const box = boxAt(text, at);
  if (box === undefined) return jsonEditor.put(text, at, items);
  const missing = items
    .filter((item) => !box.members.some(({ key }) => isText(key, item)))
    .map((item) => JSON.stringify(item));
  if (missing.length === 0) return text;
  if (box.members.length === 0 && !hasComments(text, box, jsonComment)) return filled(text, box, missing);
  return missing.reduce((now, item) => {
    const inner = boxAt(now, at);
    return inner === undefined
      ? now
      : spliced(
          now,
          added(now, inner, jsonComment, () => item),
        );
  }, text);
}

/** Blanks on both sides say that the list was there before, and empty; those of a list that had some stay behind. */
function filled(text: string, { open, close }: Box, items: readonly string[]): string {
  const line = items.join(', ');
  return spliced(text, [insertAt(open, open === close ? ` ${line} ` : line)]);
}

/** Takes texts out of a list again, the last first, and the list too if it was made for them. */
export function withoutItems(text: string, at: Path, items: readonly string[]): string {
  const box = boxAt(text, at);
  const index = box?.members.findLastIndex(({ key }) => items.some((item) => isText(key, item))) ?? -1;
  if (box === undefined || index === -1) return text;
  if (box.members.length === 1) return emptied(text, at, box);
  return withoutItems(spliced(text, removed(text, box, index, jsonComment)), at, items);
}

function emptied(text: string, at: Path, box: Box): string {
  const [last] = box.members;
  if (last === undefined || last.comma !== null || hasComments(text, box, jsonComment)) {
    return spliced(text, removed(text, box, 0, jsonComment));
  }
  const [before, after] = [text.slice(box.open, last.from), text.slice(last.to, box.close)];
  if (before === ' ' && after === ' ') return spliced(text, [cutOut(box.open, box.close)]);
  if (before === '' && after !== '') return spliced(text, [cutOut(last.from, last.to)]);
  return jsonEditor.drop(text, at);
}

function isText(written: string, text: string): boolean {
  return written.startsWith('"') && JSON.parse(written) === text;
}

/** The list at this place; undefined where there is nothing. */
function boxAt(text: string, at: Path): Box | undefined {
  let node: JsonNode | null | undefined = readJsonText(text);
  for (const key of at) {
    if (node == null) return undefined;
    if (node.box === null) throw misplaced(text, node, key);
    node = memberOf(text, node, key)?.node;
  }
  if (node == null) return undefined;
  const box = listBox(text, node);
  if (box === null) throw misplaced(text, node, at.at(-1) ?? '');
  return box;
}

function misplaced(text: string, { from }: JsonNode, key: string): Refusal {
  return new Refusal(`${JSON.stringify(key)} is not a list, or what is around it is not an object`, lineAt(text, from));
}
