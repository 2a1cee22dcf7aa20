import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { dresses, edited, roundTrip } from '../../../../test/support/settings.ts';
import { editText } from './edit.ts';

const entry = { command: '/opt/bin/repertoire', args: ['serve', '--exclude', 'claude'], env: { A: '1' } };

describe('JSON', () => {
  const at = ['mcpServers', 'repertoire'];

  it.each([
    ['nothing', ''],
    ['an empty map', '{}'],
    ['an empty map and a line end', '{}\n'],
    ['an empty map over lines', '{\n}\n'],
    ['a blank in an empty map', '{ }\n'],
    ['only comments', '// mine\n/* and\n this */\n'],
    ['a comment with no line end', '// mine'],
    ['a comment in an empty map', '{\n  // nothing yet\n}\n'],
    ['a comment in an empty map on one line', '{ /* nothing yet */ }\n'],
    ['other settings', '{\n  "theme": "dark" // night\n  // more to come\n}\n'],
    ['other settings and a last comma', '{\n    "theme": "dark", // night\n}\n'],
    ['settings on one line', '{"theme":"dark","n":[1,2]}'],
    ['settings on one line with blanks', '{ "theme": "dark" /* night */ }'],
    ['an empty map of servers', '{\n  "mcpServers": {},\n  "a": 1\n}\n'],
    ['an empty map of servers alone', '{"mcpServers": {}}'],
    ['a map of servers with blanks', '{\n  "mcpServers": {\n  }\n}\n'],
    ['a map of servers with a comment', '{\n  "mcpServers": {\n    // none\n  }\n}\n'],
    ['another server', '{\n\t"mcpServers": {\n\t\t"x": { "command": "y" },\n\t},\n}\n'],
    ['another server on one line', '{"mcpServers":{"x":{"command":"y"}}}'],
    ['trailing blanks', '{\n  "mcpServers": {\n    "x": 1  \n  }  \n}  \n\n'],
    ['a comment that ends a line of one-line maps', '{ "a": 1 // b\n}'],
    ['lists with brackets in texts', '{"a":["]","\\\\","\\"]",{"b":[[],{}]}],"c":[1]}'],
    ['lists with comments and last commas', '{\n  "a": [1, // "]\n    [2, /* [ */],\n  ],\n  "b": ["]", {}]\n}\n'],
    ['a list with a strange key', '{ "a": [{ "__proto__": 1, "b": 1, "b": 2 }] }\n'],
    ['a strange key', '{\n  "__proto__": { "a": 1 },\n  "constructor": 2\n}\n'],
  ])('%s', (_what, text) => {
    for (const original of dresses(text)) {
      const once = roundTrip('json', original, at, entry);
      const errors: ParseError[] = [];
      const seen: unknown = parseJsonc(once.replace('\ufeff', ''), errors, { allowTrailingComma: true });
      expect(errors).toEqual([]);
      expect(seen).toMatchObject({ mcpServers: { repertoire: entry } });
      if (original.includes('\r')) expect(once).not.toMatch(/[^\r]\n/);
    }
  });

  it('is laid out as the rest of the file', () => {
    const text = '{\n\t// mine\n\t"mcpServers": {\n\t\t"x": {} // y\n\t}\n}\n';
    expect(roundTrip('json', text, at, entry)).toBe(
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"x": {}, // y\n\t\t"repertoire": {\n\t\t\t"command": "/opt/bin/repertoire",\n' +
        '\t\t\t"args": ["serve", "--exclude", "claude"],\n\t\t\t"env": {\n\t\t\t\t"A": "1"\n\t\t\t}\n\t\t}\n\t}\n}\n',
    );
  });

  it('keeps comments inside an entry that changes', () => {
    const text =
      '{ "mcpServers": { "repertoire": {\n  // why\n  "command": "/old", // here\n  "type": "stdio",\n  "args": [] } } }';
    expect(edited('json', text, at, { command: '/new', args: ['a'] })).toBe(
      '{ "mcpServers": { "repertoire": {\n  // why\n  "command": "/new", // here\n  "args": ["a"] } } }',
    );
  });

  it.each([
    ['{ "a": 1, "mcpServers": { "repertoire": 1, "x": 2 } }', '{ "a": 1, "mcpServers": { "x": 2 } }'],
    ['{ "mcpServers": { // c\n "repertoire": 1 } }', '{ "mcpServers": { // c\n } }'],
    [
      '{ "mcpServers": {\n "x": 1,\n "repertoire": 1, // ours\n // theirs\n "y": 2 } }',
      '{ "mcpServers": {\n "x": 1,\n // theirs\n "y": 2 } }',
    ],
    ['{ "mcpServers": {"repertoire": 1,}, "y": 2 }', '{ "mcpServers": {}, "y": 2 }'],
  ])('loses no more than the entry: case %#', (text, expected) => {
    expect(edited('json', text, at, undefined)).toBe(expected);
  });

  it.each([
    ['[]', 1, /not an object/],
    ['{\n  "a": 1\n  "b": 2\n}', 3, /comma/],
    ['{\n  "a": ', 2, /ends too early/],
    ['{ "a": 01 }', 1, /value is expected/],
    ['{ a: 1 }', 1, /double quotes/],
    ['{}\n}', 2, /more text/],
    ['{ /* a\n}', 1, /never closed/],
    ['{ "a": "b\n" }', 1, /not closed on its line/],
    ['{\n"mcpServers": {},\n"mcpServers": {}\n}', 3, /twice/],
    ['{\n"mcpServers": []\n}', 2, /not an object/],
    [`{ "a": ${'['.repeat(5000)}${']'.repeat(5000)} }`, 1, /nested/],
  ])('is left alone where it is invalid: case %#', (text, line, reason) => {
    expect(editText('json', text, [{ at, value: entry }])).toEqual({
      ok: false,
      line,
      reason: expect.stringMatching(reason),
    });
  });
});
