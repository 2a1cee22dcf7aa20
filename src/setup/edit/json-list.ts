import { added, type Box, hasComments } from './box.ts';
import { dropMember, jsonEditor, memberOf } from './json.ts';
import { type JsonNode, jsonComment, listBox, readJsonText } from './json-read.ts';
import { lineAt, spliced } from './splice.ts';
import { type Path, Refusal } from './types.ts';

/** Adds texts to a list that are not in it. The list is made where it is not there. */
export function withItems(text: string, at: Path, items: readonly string[]): string {
  const box = boxAt(text, at);
  if (box === undefined) return jsonEditor.put(text, at, items);
  const missing = items
    .filter((item) => !box.members.some(({ key }) => isText(key, item)))
    .map((item) => JSON.stringify(item));
  if (missing.length === 0) return text;
  if (box.members.length === 0 && !hasComments(text, box, jsonComment)) {
    return spliced(text, [{ from: box.open, to: box.close, text: missing.join(', ') }]);
  }
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

/** Takes texts out of a list again. */
export function withoutItems(text: string, at: Path, items: readonly string[]): string {
  const box = boxAt(text, at);
  const last = box?.members.findLast(({ key }) => items.some((item) => isText(key, item)));
  return box === undefined || last === undefined
    ? text
    : withoutItems(spliced(text, dropMember(text, box, last)), at, items);
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
