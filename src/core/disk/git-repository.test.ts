import { expect, it } from 'vitest';
import { isRepository, repositoryIn } from './git-repository.ts';

it('a folder is a Git repository by the names in it', () => {
  expect(isRepository(['HEAD', 'objects', 'refs', 'x'])).toBe(true);
  expect(isRepository(['head', 'CommonDir'])).toBe(true);
  expect(isRepository(['HEAD', 'objects'])).toBe(false);
  expect(isRepository(['objects', 'refs', 'commondir'])).toBe(false);
});

it('files make repositories of the folders that they lie in, at any depth', () => {
  expect(repositoryIn(['SKILL.md', 'a/b/HEAD', 'a/b/objects/x/y', 'a/b/refs/z'])).toBe('a/b');
  expect(repositoryIn(['HEAD', 'commondir'])).toBe('');
  expect(repositoryIn(['a/HEAD', 'b/objects/x', 'b/refs/x', 'c/commondir'])).toBeNull();
});
