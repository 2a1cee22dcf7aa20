import { expect, test, vi } from 'vitest';

// The address is read when the module is loaded; in a browser it exists.
vi.stubGlobal('location', { hash: '#/skill/pdf' });
vi.stubGlobal('addEventListener', () => {});
const { mentionsIn } = await import('./nodes.tsx');

const files = ['SKILL.md', 'reference.md', 'scripts/fill.py', 'docs/a.md', 'docs/b.md', 'Twice.md', 'twice.md'];
const place = { skill: 'pdf', of: '', path: 'SKILL.md', files };

function found(text: string, path = 'SKILL.md'): (string | null)[] {
  const pieces = mentionsIn(text, { ...place, path });
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  return pieces.flatMap((piece) => (piece.path === null ? [] : [piece.path]));
}

test('a file is recognized where a text mentions it, whatever the letter case', () => {
  expect(found('For forms, see REFERENCE.md, or run scripts/fill.py.')).toEqual(['reference.md', 'scripts/fill.py']);
  expect(found('(./scripts/Fill.py)')).toEqual(['scripts/fill.py']);
  expect(found('as in b.md', 'docs/a.md')).toEqual(['docs/b.md']);
});

test('nothing else is: other words, the text itself, a name that two files could have', () => {
  expect(found('see other.md, TWICE.md, SKILL.md, https://x.example/reference.md.html, a.reference.mdx')).toEqual([]);
  expect(found('x'.repeat(100_000))).toEqual([]);
  expect(found('a/'.repeat(9000))).toEqual([]);
});
