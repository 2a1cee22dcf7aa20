import { dropMember, type JsonNode, jsonComment, jsonEditor, listBox, memberOf, readJsonText } from './json.ts';
import { added, type Box, hasComments, lineAt, spliced } from './splice.ts';
import { tomlEditor } from './toml.ts';
import {
  type Edit,
  type Edited,
  type Editor,
  type Failure,
  type Format,
  type Found,
  isDone,
  isSame,
  type Json,
  type Path,
  Refusal,
  stepsOf,
  valueAt,
  withEdit,
} from './values.ts';
import { yamlEditor } from './yaml.ts';

const editors: Readonly<Record<Format, Editor>> = { json: jsonEditor, toml: tomlEditor, yaml: yamlEditor };

/**
 * Characters up to which a file is edited. One agent keeps its whole history in its settings; the other formats are
 * written by hand.
 */
const characterLimits: Readonly<Record<Format, number>> = {
  json: 32 * 1024 * 1024,
  toml: 2 * 1024 * 1024,
  yaml: 2 * 1024 * 1024,
};

/**
 * Makes the edits, and changes not one character elsewhere: comments, order, spaces and line ends stay. A value that is
 * already as it should be is not touched. A text that cannot be read, or that would not mean exactly what it meant
 * before and the edits, is refused.
 */
export function editText(format: Format, text: string, edits: readonly Edit[]): Edited {
  return attempt(() => {
    const [mark, body] = parts(format, text);
    return { ok: true, text: mark + edits.reduce((now, edit) => edited(editors[format], now, edit), body) };
  });
}

/** Adds texts to a list in a JSON file, or removes them; again not one character changes elsewhere. */
export function editList(text: string, change: 'add' | 'drop', at: Path, items: readonly string[]): Edited {
  return attempt(() => {
    const [mark, body] = parts('json', text);
    const before = jsonEditor.read(body);
    const after = change === 'add' ? withItems(body, at, items) : withoutItems(body, at, items);
    const expected = listAfter(valueAt(before, at), change, items);
    const seen = after === body ? before : reread(jsonEditor, after);
    const rest = (map: Json): Json => withEdit(map, { at, value: [] });
    if (!isSame(valueAt(seen, at) ?? [], expected) || !isSame(rest(before), rest(seen))) throw unsafe();
    return { ok: true, text: mark + after };
  });
}

function listAfter(list: Json | undefined, change: 'add' | 'drop', items: readonly string[]): Json {
  const now: readonly Json[] = Array.isArray(list) ? (list as readonly Json[]) : [];
  if (change === 'drop') return now.filter((one) => typeof one !== 'string' || !items.includes(one));
  return [...now, ...items.filter((item) => !now.includes(item))];
}

/** The value of a text at this path; undefined where there is none. */
export function valueIn(format: Format, text: string, at: Path): Found {
  return attempt(() => ({ ok: true, value: valueAt(editors[format].read(parts(format, text)[1]), at) }));
}

/** Splits off a byte order mark, which belongs to no format, but begins many files. */
function parts(format: Format, text: string): [mark: string, body: string] {
  const limit = characterLimits[format];
  if (text.length > limit) throw new Refusal(`it is longer than ${limit} characters`);
  return text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text];
}

function edited(editor: Editor, text: string, edit: Edit): string {
  const before = editor.read(text);
  const steps = stepsOf(before, edit);
  const after = steps.reduce(
    (now, { at, value }) => (value === undefined ? editor.drop(now, at) : editor.put(now, at, value)),
    text,
  );
  if (steps.length > 0 && !isDone(before, edit, reread(editor, after))) throw unsafe();
  return after;
}

/**
 * Parses the edited text as the last guard: whatever the shape of a file, nothing is written that says something else
 * than it should.
 */
function reread(editor: Editor, text: string) {
  try {
    return editor.read(text);
  } catch (error) {
    throw error instanceof Refusal ? unsafe() : error;
  }
}

function unsafe(): Refusal {
  return new Refusal('it is written in a way that cannot be changed without changing other parts of it');
}

function attempt<T>(action: () => T): T | Failure {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, line: error.line, reason: error.message };
  }
}

/** Adds the missing texts to a list, which is created where it does not exist. */
function withItems(text: string, at: Path, items: readonly string[]): string {
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

/** Removes texts from a list again. */
function withoutItems(text: string, at: Path, items: readonly string[]): string {
  const box = boxAt(text, at);
  const last = box?.members.findLast(({ key }) => items.some((item) => isText(key, item)));
  return box === undefined || last === undefined
    ? text
    : withoutItems(spliced(text, dropMember(text, box, last)), at, items);
}

function isText(written: string, text: string): boolean {
  return written.startsWith('"') && JSON.parse(written) === text;
}

/** The list at this path; undefined where there is nothing. */
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

/** The smallest file with the values of the edits, for a person to paste where a file cannot be edited. */
export function snippetOf(format: Format, edits: readonly Edit[]): string {
  const edited = editText(
    format,
    '',
    edits.filter(({ value }) => value !== undefined),
  );
  return edited.ok ? edited.text : '';
}
