import { jsonEditor } from './json.ts';
import { withItems, withoutItems } from './json-list.ts';
import { tomlEditor } from './toml.ts';
import {
  type Edit,
  type Edited,
  type Editor,
  type Failure,
  type Format,
  type Found,
  type Json,
  type Path,
  Refusal,
} from './types.ts';
import { isDone, isSame, stepsOf, valueAt, withEdit } from './values.ts';
import { yamlEditor } from './yaml.ts';

const editors: Readonly<Record<Format, Editor>> = { json: jsonEditor, toml: tomlEditor, yaml: yamlEditor };

/** One agent keeps its whole history in its settings. The other formats are written by hand. */
const characterLimits: Readonly<Record<Format, number>> = {
  json: 32 * 1024 * 1024,
  toml: 2 * 1024 * 1024,
  yaml: 2 * 1024 * 1024,
};

/**
 * The text with the edits made, and not one character changed elsewhere: comments, order, blanks and line ends stay.
 * What is as it should be already is not touched. A text that cannot be read, or that would not mean exactly what it
 * meant before and the edits, is refused.
 */
export function editText(format: Format, text: string, edits: readonly Edit[]): Edited {
  return attempt(() => {
    const [mark, body] = parts(format, text);
    return { ok: true, text: mark + edits.reduce((now, edit) => edited(editors[format], now, edit), body) };
  });
}

/** A list of texts in a JSON file, with some added or taken out; again not one character changes elsewhere. */
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

/** What a text says at this place; undefined where it says nothing. */
export function valueIn(format: Format, text: string, at: Path): Found {
  return attempt(() => ({ ok: true, value: valueAt(editors[format].read(parts(format, text)[1]), at) }));
}

/** A byte order mark is no part of any format, but of many files. */
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

/** The last guard: whatever the shape of a file, nothing is written that says something else than it should. */
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
