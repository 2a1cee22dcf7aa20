import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { chosen, chosenCount, facetsOf, filtersOf, labelOf, markedParts, withoutMarks } from './facets.ts';
import { changeInWords, rowsNeeded } from './load.ts';

const none = { provider: [], location: [], plugin: [], runtime: [], state: [] };
const filters = (query: string) => filtersOf(new URLSearchParams(query));
const skipped = [
  { code: 'field-missing', severity: 'error', file: '/x', line: null, column: null, message: '', remedy: '' },
] as const;

test('filters stand in the address', () => {
  const these = filters('q=pdf&provider=claude&state=skipped&sort=tools&other=1');
  const rest = { location: '', plugin: '', runtime: '', sort: 'tools' };
  expect(these).toEqual({ ...rest, q: 'pdf', provider: 'claude', state: 'skipped' });
  expect(chosenCount(these)).toBe(2);
  expect(chosen(these)).toEqual({ provider: 'claude' });
});

test('facets keep their order, and those without a value are not there', () => {
  const facets = {
    ...none,
    provider: [
      { value: 'p10', count: 9 },
      { value: 'p2', count: 1 },
    ],
    location: [
      { value: 'plugin', count: 5 },
      { value: 'project', count: 1 },
    ],
  };
  const shown = facetsOf({ facets, skipped: [] }, filters(''));
  expect(shown.map(({ name, values }) => [name, values.map(({ value }) => value)])).toEqual([
    ['provider', ['p2', 'p10']],
    ['location', ['project', 'plugin']],
  ]);
});

test('what is chosen stays in sight, and skipped files are a state', () => {
  const shown = facetsOf({ facets: none, skipped }, filters('plugin=gone'));
  expect(shown.map(({ name, values }) => [name, values])).toEqual([
    ['plugin', [{ value: 'gone', count: 0, label: 'gone' }]],
    ['state', [{ value: 'skipped', count: 1, label: 'skipped' }]],
  ]);
});

test('labels come from a table, and from nothing it inherits', () => {
  expect(labelOf('runtime', 'none')).toBe('no tools');
  expect(labelOf('runtime', 'constructor')).toBe('constructor');
});

test('a search needs no rows of the list', () => {
  expect(rowsNeeded(filters(''), 200)).toBe(200);
  expect(rowsNeeded(filters('q=x'), 200)).toBe(1);
  expect(rowsNeeded(filters('state=skipped'), 200)).toBe(1);
});

test('what changed is said in a few words', () => {
  expect(changeInWords({ all: 3, revision: 'a' }, { all: 3, revision: 'a' })).toBeNull();
  expect(changeInWords({ all: 3, revision: 'a' }, { all: 6, revision: 'b' })).toBe('3 skills added');
  expect(changeInWords({ all: 3, revision: 'a' }, { all: 2, revision: 'b' })).toBe('1 skill gone');
  expect(changeInWords({ all: 3, revision: 'a' }, { all: 3, revision: 'b' })).toBe('the skills have changed');
});

const marked = (text: string, query: string) =>
  markedParts(text, query).flatMap((part) => (part.isMarked ? [part.text] : []));

test('the words of a query are marked, whatever their ending', () => {
  expect(marked('Fill forms. A form is filled; platform is not one.', 'filling forms')).toEqual([
    'Fill',
    'forms',
    'form',
    'filled',
  ]);
});

test('common words are marked only where there are no others', () => {
  expect(marked('how to read the file', 'how to read')).toEqual(['read']);
  expect(marked('to be', 'to be')).toEqual(['to', 'be']);
});

test('scripts without spaces are marked inside', () => {
  expect(marked('帮助填写表格的技能', '表格')).toEqual(['表格']);
});

test('nothing of a text is lost, whatever the query', () => {
  const piece = fc.constantFrom(
    'form',
    'forms',
    ' ',
    'ſ',
    'é',
    '表格',
    '😀',
    '\ud800',
    '.*',
    '(',
    '\\',
    '\n',
    'İ',
    'a',
    '-',
  );
  const words = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(words, words, (text, query) => {
      expect(
        markedParts(text, query)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
    { numRuns: 100 },
  );
});

describe('a passage', () => {
  it.each([
    ['### Tables **CRITICAL** widths', 'Tables CRITICAL widths'],
    ['See [the reference](references/a.md) and `code`', 'See the reference and code'],
    ['- one\n- two', 'one two'],
    ['snake_case and 2 * 3 stay', 'snake_case and 2 * 3 stay'],
    ['[unclosed ( bracket', '[unclosed ( bracket'],
  ])('%j is read as %j', (markdown, text) => {
    expect(withoutMarks(markdown)).toBe(text);
  });

  it('takes no longer than it is long, whatever it is made of', () => {
    for (const part of ['[', '**', '`', '![](', '# ', '| ']) withoutMarks(part.repeat(20_000));
  });
});
