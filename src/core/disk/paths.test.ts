import { isAbsolute, join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostEnvironment } from '../environment.ts';
import { displayPath, expandPath, isInside } from './paths.ts';

const segment = fc.stringMatching(/^[a-c.]{1,3}$/).filter((one) => one !== '.' && one !== '..');
const path = fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);

it('isInside() agrees with walking the path', () => {
  fc.assert(
    fc.property(path, path, (folder, target) => {
      const walked = relative(folder, target);
      const below = walked === '' || (!walked.startsWith('../') && walked !== '..' && !isAbsolute(walked));
      expect(isInside(folder, target)).toBe(below);
    }),
    { numRuns: 2000 },
  );
});

it('isInside() is false for a sibling whose name has the same beginning', () => {
  expect(isInside('/home/ann', '/home/anna')).toBe(false);
  expect(isInside('/', '/anything')).toBe(true);
});

it('a displayed path leads back to the real one', () => {
  const environment = hostEnvironment({ cwd: '/project/here', home: '/home/ann' });
  fc.assert(
    fc.property(
      fc.constantFrom('/project/here', '/home/ann', '/other'),
      fc.array(segment, { maxLength: 3 }),
      (base, parts) => {
        const full = join(base, ...parts);
        expect(expandPath(displayPath(full, environment), environment)).toBe(full);
      },
    ),
  );
});
