import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { promisesIn, securityPromises, unproven } from '../../scripts/promises.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

describe('the promises of SECURITY.md', () => {
  // Whether these tests then ran and passed is checked at the end of a whole run, by scripts/count-tests.mjs.
  it('each name tests that exist', () => {
    const promises = securityPromises();
    expect(promises.length).toBeGreaterThan(30);
    expect(promises.filter(({ proofs }) => proofs.length === 0)).toEqual([]);
    const missing = promises
      .flatMap(({ proofs }) => proofs)
      .filter(({ title, file }) => !readFileSync(`${project}${file}`, 'utf8').includes(title));
    expect(missing).toEqual([]);
  });
});

describe('the check of promises', () => {
  const page = `
| promise | how it is kept | where | proven by |
| ------- | -------------- | ----- | --------- |
| No way out | a wall | Linux | [it is held](test/a.test.ts), [all of them](test/b.test.ts) |
| No way in | a door | everywhere | |

| threat | what we do |
| ------ | ---------- |
| [another](test/c.test.ts) | table |
`;
  const passed = (ancestorTitles: readonly string[], title: string, status = 'passed') => ({
    ancestorTitles,
    title,
    status,
  });

  it('reads the tables of promises, and no others', () => {
    expect(promisesIn(page)).toEqual([
      {
        promise: 'No way out',
        proofs: [
          { title: 'it is held', file: 'test/a.test.ts' },
          { title: 'all of them', file: 'test/b.test.ts' },
        ],
      },
      { promise: 'No way in', proofs: [] },
    ]);
  });

  it('takes a test or a whole group as proof, whatever requirements are cited in its title', () => {
    const testResults = [
      { name: '/p/test/a.test.ts', assertionResults: [passed([], 'it is held [C4-CAP-01]')] },
      { name: '/p/test/b.test.ts', assertionResults: [passed(['all of them'], 'one'), passed(['all of them'], 'two')] },
    ];
    expect(unproven(promisesIn(page), { testResults })).toEqual(['No way in: no test is named']);
  });

  it('takes none that failed, was skipped, or is in another file', () => {
    const testResults = [
      { name: '/p/test/c.test.ts', assertionResults: [passed([], 'it is held')] },
      {
        name: '/p/test/b.test.ts',
        assertionResults: [passed(['all of them'], 'one'), passed(['all of them'], 'two', 'skipped')],
      },
    ];
    expect(unproven(promisesIn(page), { testResults })).toEqual([
      'No way out: "it is held" of test/a.test.ts did not run and pass',
      'No way out: "all of them" of test/b.test.ts did not run and pass',
      'No way in: no test is named',
    ]);
  });
});
