import { expect, test } from 'vitest';
import { type Folder, treeOf } from './tree.ts';

type File = { readonly path: string };

function written({ name, folders, files, count }: Folder<File>): unknown {
  return [name, count, files.map(({ path }) => path), folders.map(written)];
}

test('files are arranged by their folders, and counted', () => {
  const paths = ['SKILL.md', 'scripts/a.sh', 'scripts/deep/b.sh', 'docs/c.md', 'scripts/d.sh'];
  expect(written(treeOf(paths.map((path) => ({ path }))))).toEqual([
    '',
    5,
    ['SKILL.md'],
    [
      ['scripts', 3, ['scripts/a.sh', 'scripts/d.sh'], [['deep', 1, ['scripts/deep/b.sh'], []]]],
      ['docs', 1, ['docs/c.md'], []],
    ],
  ]);
});

test('names that mean something to the language are names', () => {
  const tree = treeOf([{ path: '__proto__/constructor/x' }, { path: 'toString' }]);
  expect(written(tree)).toEqual([
    '',
    2,
    ['toString'],
    [['__proto__', 1, [], [['constructor', 1, ['__proto__/constructor/x'], []]]]],
  ]);
});
