import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { edited } from '../../../../test/support/settings.ts';
import { type Environment, hostEnvironment } from '../../../core/environment.ts';
import type { Json } from '../edit/values.ts';
import { remember, restored } from './perform.ts';

let home: string;
let environment: Environment;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'undo-'));
  environment = hostEnvironment({ home, cwd: home, env: {} });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const record = (): string => join(home, '.local/state/repertoire/changed-settings.json');
const [file, format] = ['/settings.json', 'json'] as const;

/** Makes an edit as `setup` does. Null stands for a file that does not exist. */
function change(kind: 'add' | 'remove', before: string | null, at: readonly string[], value?: Json): string | null {
  const planned = edited(format, before ?? '', at, value);
  const after = kind === 'add' ? planned : restored(environment, { file, format, before, after: planned });
  remember(environment, { kind, file, before, after });
  return after;
}

const servers = ['mcpServers', 'repertoire'];
const trusted = ['projects', '/src', 'trusted'];

it.each([
  ['an odd layout', '{ "mcpServers" :{\t} ,\n}'],
  ['nothing in it', ''],
  ['a blank in it', ' '],
  ['none there', null],
])('a file with %s has its old bytes after the entry was removed', (_, before) => {
  const once = change('add', before, servers, { command: 'a' });
  const twice = change('add', once, servers, { command: 'b' });
  expect(change('remove', twice, servers)).toBe(before);
  expect(JSON.parse(readFileSync(record(), 'utf8'))).toEqual([]);
});

it('two changes are undone in any order', () => {
  const before = '{"a":  1}';
  const both = change('add', change('add', before, servers, { command: 'a' }), trusted, true);
  const one = change('remove', both, servers);
  expect(one).toContain('"trusted"');
  expect(change('remove', one, trusted)).toBe(before);
});

it('undoing keeps what others have written since, and removes only the entry', () => {
  const once = change('add', '{}\n', servers, { command: 'a' }) ?? '';
  const theirs = edited(format, once, ['theme'], 'dark');
  const left = change('remove', theirs, servers);
  expect(JSON.parse(left ?? '')).toEqual({ mcpServers: {}, theme: 'dark' });
});

it('undoing does not restore a text with another meaning', () => {
  const once = change('add', '{"a": 1}', servers, { command: 'a' });
  const more = change('add', once, ['b'], 2);
  expect(JSON.parse(change('remove', more, servers) ?? '')).toEqual({ a: 1, b: 2, mcpServers: {} });
});

it('an unusable record of a change is ignored', () => {
  const once = change('add', '{ }', servers, { command: 'a' });
  for (const text of ['{', '[null, {"file": 1}]', '"x"']) {
    writeFileSync(record(), text);
    expect(restored(environment, { file, format, before: once, after: '{}' })).toBe('{}');
  }
});

it('a record of a change that was edited restores nothing that the file never contained', () => {
  const once = change('add', '{ }', servers, { command: 'a' });
  writeFileSync(record(), readFileSync(record(), 'utf8').replace('"text": " "', '"text": "/* else */"'));
  expect(restored(environment, { file, format, before: once, after: '{}' })).toBe('{}');
});

it('the record of a change contains neither the file nor a removed entry', () => {
  const once = change('add', '{"token": "secret"}', servers, { command: 'a' }) ?? '';
  expect(readFileSync(record(), 'utf8')).not.toContain('secret');
  const theirs = edited(format, once, servers, { command: 'a', env: { TOKEN: 'secret' } });
  change('remove', theirs, servers);
  expect(JSON.parse(readFileSync(record(), 'utf8'))).toEqual([]);
});

it.skipIf(process.platform === 'win32')('what is remembered is for its owner alone', () => {
  change('add', '{}', servers, { command: 'a' });
  expect(statSync(record()).mode & 0o777).toBe(0o600);
});
