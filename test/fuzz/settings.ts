import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editList, editText, valueIn } from '../../src/agents/setup/edit/edit.ts';
import type { Edited, Format, Json } from '../../src/agents/setup/edit/values.ts';
import { readSettings } from '../../src/agents/setup/edit/write.ts';
import { remember, restored } from '../../src/agents/setup/plan/perform.ts';
import type { Environment } from '../../src/core/environment.ts';
import { jsonOrToml } from './shapes/json-or-toml.ts';
import { inFolder, type Target } from './target.ts';

const formats: readonly Format[] = ['json', 'toml', 'yaml'];
const at = ['servers', 'repertoire'];
const entry: Json = { command: 'repertoire', args: ['mcp'], env: { A: '# "b"' } };
const other: Json = { command: 'other', enabled: true };

/** Settings of agents, which `setup` edits in place: each input is read as every format. */
export const settings: Target = {
  inputs: 20_000,
  isSteady: true,
  shape: jsonOrToml,
  words: [
    '"servers"',
    'servers:\n',
    '[servers]\n',
    '[servers.x]\n',
    '[[servers]]\n',
    'servers.x = 1\n',
    'servers = {}\n',
    '"repertoire"',
    'repertoire:\n  ',
    '{}',
    '{ ',
    ' }',
    '[]',
    ': ',
    ', ',
    ' = ',
    '"""',
    "'''",
    '// c\n',
    '/* c */',
    '# c\n',
    '- a\n',
    '&a ',
    '*a',
    '<<: ',
    '|\n  ',
    '? ',
    '---\n',
    '...\n',
    '!!map ',
    '__proto__',
    '\n  ',
    '\t',
    '\ufeff',
    '\r\n',
    '\r',
    '\u2028',
  ],
  open: inFolder(async (input, environment) => {
    const file = join(environment.cwd, 'settings');
    writeFileSync(file, input);
    const read = readSettings(file);
    if (!read.ok) return read.reason;
    const text = read.text ?? '';
    const remove = (format: Format, steps: readonly string[], after: string) =>
      removed(environment, file, format, steps, after);
    return [...formats.map((format) => outcomeOfEntry(format, text, remove)), outcomeOfList(text, remove)].join('|');
  }),
};

/** What is left of a file once what we put there is out of it, after these texts that it had one after the other. */
type Remove = (format: Format, steps: readonly string[], after: string) => string | null;

/** Removes as `setup` does: it remembers each change of its own, and takes it back where nobody else has made one. */
function removed(
  environment: Environment,
  file: string,
  format: Format,
  steps: readonly string[],
  after: string,
): string | null {
  for (const [at, now] of steps.entries()) {
    if (at > 0) remember(environment, { kind: 'add', file, before: steps[at - 1] ?? null, after: now });
  }
  const before = steps.at(-1) ?? null;
  const text = restored(environment, { file, format, before, after });
  remember(environment, { kind: 'remove', file, before, after: text });
  return text;
}

/** An entry that comes, is changed and goes leaves every byte as it was. */
function outcomeOfEntry(format: Format, text: string, remove: Remove): string {
  const before = valueIn(format, text, at);
  const added = editText(format, text, [{ at, value: entry }]);
  if (!added.ok) return refusal(added, text);
  assert.ok(before.ok, `${format}: what cannot be read was changed`);
  assert.deepEqual(valueIn(format, added.text, at), { ok: true, value: entry }, `${format}: the entry is not there`);
  assert.equal(edited(format, added.text, entry), added.text, `${format}: adding it twice is not adding it once`);
  if (before.value !== undefined) return `${format} has one`;
  const left = edited(format, added.text, undefined);
  assert.deepEqual(valueIn(format, left, at), { ok: true, value: undefined }, `${format}: the entry is still there`);
  assert.equal(remove(format, [text, added.text], left), text, `${format}: removing it does not give back every byte`);
  const changed = edited(format, added.text, other);
  assert.equal(
    remove(format, [text, added.text, changed], edited(format, changed, undefined)),
    text,
    `${format}: removing it once changed does not give back every byte`,
  );
  return `${format} had none`;
}

function edited(format: Format, text: string, value: Json | undefined): string {
  const result = editText(format, text, [{ at, value }]);
  assert.ok(result.ok, `${format}: an entry that was added cannot be changed or removed`);
  return result.text;
}

/** So does a text that is put in a list of JSON. */
function outcomeOfList(text: string, remove: Remove): string {
  const [path, items] = [['allow'], ['mcp__repertoire__skill']];
  const before = valueIn('json', text, path);
  const added = editList(text, 'add', path, items);
  if (!added.ok) return refusal(added, text);
  assert.deepEqual(editList(added.text, 'add', path, items), added, 'adding to a list twice is not adding once');
  const had = before.ok && Array.isArray(before.value) && before.value.includes(items[0]);
  if (had) return 'a list that had it';
  const left = editList(added.text, 'drop', path, items);
  assert.ok(left.ok, 'what was added to a list cannot be taken out');
  assert.equal(remove('json', [text, added.text], left.text), text, 'a list is not as it was');
  return 'a list that had not it';
}

function refusal(result: Exclude<Edited, { readonly ok: true }>, text: string): string {
  const lines = text.split(/\r\n?|\n/).length;
  assert.notEqual(result.reason.trim(), '', 'a refusal says nothing');
  assert.ok(result.line === null || (result.line >= 1 && result.line <= lines), `line ${result.line} of ${lines}`);
  return result.reason.replace(/"[^"]*"|\*\S+|\d+/g, '').slice(0, 50);
}
