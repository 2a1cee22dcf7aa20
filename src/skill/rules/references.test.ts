import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../../../test/support/processor-time.ts';
import { referencesIn } from './references.ts';

const paths = (body: string): string[] => referencesIn(body).map((one) => one.path);

describe('the references of a body', () => {
  it('are links, images and definitions, each path once with its place', () => {
    expect(referencesIn('[a](x.md) ![b](y/z.png "title")\n\n[c]: <my file.md>\n[d](x.md)')).toEqual([
      { path: 'x.md', line: 1, column: 5 },
      { path: 'y/z.png', line: 1, column: 16 },
      { path: 'my file.md', line: 3, column: 7 },
    ]);
  });

  it.each([
    ['the web', '[a](https://x.y/z.md) [b](mailto:a@b.c) [c](//x.y/z.md)'],
    ['the page itself', '[a](#top.1)'],
    ['fenced code', '```md\n[a](x.md)\n```\n~~~~\n```\n[b](y.md)\n~~~~'],
    ['a fence that is never closed', '```\n[a](x.md)'],
    ['code in a line', '`[a](x.md)` and ``[b](`y.md)``'],
    ['indented code', 'Text:\n\n    [a](x.md)\n    [b](y.md)\n'],
    ['placeholders', '[a](url) [b]({baseDir}/x.md) [c](path/...) [d](*.md)'],
    ['text in brackets', '[a] (x.md) [b](x y.md)'],
  ])('leave out %s', (_what, body) => {
    expect(paths(body)).toEqual([]);
  });

  it('go on after code', () => {
    expect(paths('```\n[a](x.md)\n```\n[b](y.md)\n\n- item\n\n    [c](z.md) and `code` [d](w.md)')).toEqual([
      'y.md',
      'z.md',
      'w.md',
    ]);
  });

  it('are paths, not addresses', () => {
    expect(paths('[a](a%20b.md?x=1#y) [b](100%.md) [c](f(x).md)')).toEqual(['a b.md', '100%.md', 'f(x).md']);
  });

  it.each([
    ['brackets', '['.repeat(500_000)],
    ['links that never end', '](a "'.repeat(200_000)],
    ['backticks', Array.from({ length: 100_000 }, (_, index) => '`'.repeat((index % 40) + 1)).join(' ')],
    ['links', Array.from({ length: 100_000 }, (_, index) => `[a](${index}.md)`).join('')],
  ])('are found in little time among %s', async (_what, body) => {
    const found = () => expect(paths(body).length).toBeLessThanOrEqual(1000);
    expect(await processorSeconds(found)).toBeLessThan(3);
  });
});
