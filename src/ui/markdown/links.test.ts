import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slugOf, targetOf } from './links.ts';

const file = (path: string, anchor = '') => ({ kind: 'file', path, anchor });

describe('links in a text', () => {
  test.each([
    ['references/api.md', file('docs/references/api.md')],
    ['./api.md', file('docs/api.md')],
    ['../SKILL.md', file('SKILL.md')],
    ['a/../../b.md', file('b.md')],
    ['a%20b.md', file('docs/a b.md')],
    ['api.md#part%20two', file('docs/api.md', 'part two')],
    ['api.md?raw=1#x', file('docs/api.md', 'x')],
    ['%2e%2e/SKILL.md', file('SKILL.md')],
    ['…', file('docs/…')],
  ])('inside the skill: %s', (address, target) => {
    expect(targetOf(address, 'docs/guide.md')).toEqual(target);
  });

  test.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTP://example.com', 'http://example.com/'],
    ['mailto:someone@example.com', 'mailto:someone@example.com'],
    ['  https://example.com/  ', 'https://example.com/'],
  ])('out to the web: %s', (address, href) => {
    expect(targetOf(address, 'SKILL.md')).toEqual({ kind: 'outside', href });
  });

  test('to a place in the same text', () => {
    expect(targetOf('#the-table', 'SKILL.md')).toEqual({ kind: 'anchor', anchor: 'the-table' });
    expect(targetOf('#%', 'SKILL.md')).toEqual({ kind: 'anchor', anchor: '%' });
  });

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://example.com/x',
    'file:///etc/passwd',
    'C:\\windows',
    'ftp://example.com',
    'https:',
    'http://[',
    '//example.com/x',
    '\\\\example.com\\x',
    '/\\example.com',
    '/etc/passwd',
    '../../etc/passwd',
    'docs/../../x',
    '..%2f..%2fetc/passwd',
    '%2e%2e/%2e%2e/x',
    'a%00b',
    'a%0ab',
    '%zz',
    'folder/',
    '.',
    '..',
    '?x',
    '',
    'x'.repeat(5000),
  ])('nowhere: %j', (address) => {
    expect(targetOf(address, 'guide.md').kind).toBe('nowhere');
  });

  test('whatever is written, nothing but the allowed comes out', () => {
    const piece = fc.constantFrom(
      ...['javascript:', 'data:', 'https:', 'http://', 'mailto:', '//', '/', '\\', '..', '.', '%2e', '%2f', '%5c', '#'],
      ...['\t', '\n', '\u0000', ' ', 'a', 'b.md', 'example.com', '@', '?', '%', ':', '&colon;', '\u202e', 'ſ'],
    );
    const address = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(address, fc.constantFrom('SKILL.md', 'a/b/c.md'), (written, from) => {
        const target = targetOf(written, from);
        if (target.kind === 'outside') expect(target.href).toMatch(/^(?:https?:\/\/|mailto:)/);
        if (target.kind !== 'file') return;
        expect(target.path).not.toMatch(/^\/|\\|[\u0000-\u001f]/);
        expect(target.path.split('/')).not.toContain('..');
        expect(target.path.split('/')).not.toContain('');
      }),
      { numRuns: 500 },
    );
  });
});

test('headings are named the way links name them', () => {
  expect(slugOf('The Table, again!')).toBe('the-table-again');
  expect(slugOf('Überblick: 2. Teil')).toBe('überblick-2-teil');
});
