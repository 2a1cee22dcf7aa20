import fc from 'fast-check';
import type { Paragraph, Table, TableRow } from 'mdast';
import { describe, expect, test } from 'vitest';
import { parseMarkdown, safeTree, slugOf, targetOf } from './parse.ts';
import type { SafeNode, SafeNodes, SafeText, Target } from './tree.ts';

type Point = NonNullable<Paragraph['position']>['start'];

function parsed(text: string, path = 'SKILL.md'): SafeText {
  const answer = parseMarkdown({ text, path });
  if (answer === null) throw new Error('not parsed');
  return answer;
}

/** Every node of a tree, one by one. */
function all(nodes: SafeNodes): Exclude<SafeNode, string>[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...insideOf(node).flatMap(all)]));
}

function insideOf(node: Exclude<SafeNode, string>): SafeNodes[] {
  if (node.kind === 'table') return node.rows.flat().map(({ children }) => children);
  if (node.kind === 'notes') return node.notes.map(({ children }) => children);
  return 'children' in node ? [node.children] : [];
}

/** The targets of the links and pictures in a text. */
function targetsIn(text: string): Target[] {
  return all(parsed(text).nodes).flatMap((node) => (node.kind === 'link' || node.kind === 'image' ? [node.to] : []));
}

function depthOf(nodes: SafeNodes): number {
  const depths = nodes.map((node) => (typeof node !== 'string' && 'children' in node ? depthOf(node.children) : 0));
  return 1 + Math.max(0, ...depths);
}

describe('a text in Markdown', () => {
  test('becomes plain data', () => {
    expect(parsed('# A *b*\n\ntext `code`\n')).toEqual({
      nodes: [
        { kind: 'heading', level: 2, id: 'a-b', children: ['A ', { kind: 'emphasis', children: ['b'] }] },
        { kind: 'paragraph', children: ['text ', { kind: 'inlineCode', text: 'code' }] },
      ],
      rest: '',
    });
  });

  test('levels of headings have no gaps, and names are told apart', () => {
    const { nodes } = parsed('### a\n\n# a\n\n#### b\n\n###### c\n\n## d\n');
    const headings = all(nodes).flatMap((node) => (node.kind === 'heading' ? [[node.level, node.id]] : []));
    expect(headings).toEqual([
      [2, 'a'],
      [2, 'a-1'],
      [3, 'b'],
      [4, 'c'],
      [3, 'd'],
    ]);
  });

  test('HTML stays text, comments too', () => {
    const { nodes } = parsed('<script>alert(1)</script>\n\n<!-- hidden -->\n\na <b onclick="x">b</b>\n');
    const html = all(nodes).flatMap((node) => (node.kind === 'html' ? [node.text] : []));
    expect(html).toEqual(['<script>alert(1)</script>', '<!-- hidden -->', '<b onclick="x">', '</b>']);
  });

  test('entities are read before a link is judged', () => {
    const text = '[a](javascript&colon;alert(1)) [b](&#106;avascript:alert(1)) <javascript:alert(1)>';
    expect(targetsIn(text).map(({ kind }) => kind)).toEqual(['nowhere', 'nowhere', 'nowhere']);
  });

  test('links by reference, notes, tasks and tables', () => {
    const { nodes } = parsed(
      '[a][r] ![p][r] b[^n] [^none]\n\n- [x] c\n\n| d |\n|--:|\n| e |\n\n[r]: ./x.png\n\n[^n]: f\n',
    );
    const to = { kind: 'file', path: 'x.png', anchor: '' };
    expect(nodes).toEqual([
      {
        kind: 'paragraph',
        children: [
          { kind: 'link', to, children: ['a'] },
          ' ',
          { kind: 'image', to, alt: 'p' },
          ' b',
          { kind: 'noteMark', number: 1 },
          ' [^none]',
        ],
      },
      { kind: 'list', start: null, children: [{ kind: 'item', isDone: true, children: ['c'] }] },
      { kind: 'table', rows: [[{ align: 'right', children: ['d'] }], [{ align: 'right', children: ['e'] }]] },
      { kind: 'notes', notes: [{ number: 1, children: [{ kind: 'paragraph', children: ['f'] }] }] },
    ]);
  });

  test('front matter is shown as what it is', () => {
    expect(parsed('---\ntitle: x\n---\ntext\n').nodes[0]).toEqual({ kind: 'code', text: 'title: x', language: 'yaml' });
  });
});

describe('a hostile text', () => {
  test('nested beyond all measure is cut, and nothing of it is lost', () => {
    const answer = parsed(`${'> '.repeat(100)}the end`);
    expect(depthOf(answer.nodes)).toBeLessThan(50);
    expect(JSON.stringify(answer)).toContain('the end');
  });

  test('too many parts are not drawn: the rest is there as it is written', () => {
    const source = 'a\n\n'.repeat(12_000);
    const paragraphs = Array.from({ length: 12_000 }, (_, place): Paragraph => {
      const [start, end] = [place * 3, place * 3 + 1].map((offset) => ({ line: place * 2 + 1, column: 1, offset }));
      const position = { start: start as Point, end: end as Point };
      return { type: 'paragraph', children: [{ type: 'text', value: 'a', position }], position };
    });
    const { nodes, rest } = safeTree({ type: 'root', children: paragraphs }, source, 'SKILL.md');
    expect(nodes.length).toBe(10_000);
    expect(rest).toBe('a\n\n'.repeat(2000));
  });

  test('a table of too many cells is shown as it is written', () => {
    const row = (): TableRow => ({ type: 'tableRow', children: Array(3000).fill({ type: 'tableCell', children: [] }) });
    const position = { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 9, offset: 8 } };
    const table: Table = { type: 'table', children: [row(), row()], position };
    const { nodes } = safeTree({ type: 'root', children: [table] }, '|a|a|a|a|', 'SKILL.md');
    expect(nodes).toEqual([{ kind: 'code', text: '|a|a|a|a', language: null }]);
  });

  test('has no link that leads anywhere but where it may', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        ']',
        '(',
        ')',
        '![',
        '](',
        '<',
        '>',
        '`',
        '*',
        '\n',
        '\n\n',
        '> ',
        '- ',
        '|',
        '# ',
        '[a]: ',
        '[^1]',
        ' ',
      ],
      ...['javascript:alert(1)', 'java&Tab;script:x', 'data:text/html,x', 'https://example.com', '//example.com'],
      ...[
        '../../x',
        'x.png',
        'a.md#b',
        '<script>',
        '</p>',
        '&colon;',
        '\\',
        '\u202e',
        '\u0000',
        'www.example.com',
        'a@b.co',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
        for (const to of targetsIn(parts.join(''))) {
          if (to.kind === 'outside') expect(to.href).toMatch(/^(?:https?:\/\/|mailto:)/);
          if (to.kind === 'file') expect(`/${to.path}/`).not.toMatch(/\/\.\.\/|\/\/|\\/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

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
