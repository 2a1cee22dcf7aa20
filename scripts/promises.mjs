import { readFileSync } from 'node:fs';

// The promises of SECURITY.md and the tests that prove them: rows of tables whose last column links to tests by title.

const columns = ['promise', 'how it is kept', 'where', 'proven by'];
const link = /\[([^\]]+)\]\(([^)]+)\)/g;

/** @type {typeof import('./promises.d.mts').promisesIn} */
export function promisesIn(page) {
  const promised = [];
  let isPromises = false;
  for (const line of page.split('\n')) {
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim())
      : null;
    if (cells === null) isPromises = false;
    else if (cells.join() === columns.join()) isPromises = true;
    else if (isPromises && !cells.every((cell) => /^-+$/.test(cell))) {
      const [promise = '', , , proofs = ''] = cells;
      promised.push({
        promise,
        proofs: [...proofs.matchAll(link)].map(([, title = '', file = '']) => ({ title, file })),
      });
    }
  }
  return promised;
}

export function securityPromises() {
  return promisesIn(readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8'));
}

/**
 * Promises that name no test, or one that did not run or did not pass.
 *
 * @type {typeof import('./promises.d.mts').unproven}
 */
export function unproven(promises, report) {
  return promises.flatMap(({ promise, proofs }) => {
    const missing = proofs.filter((proof) => !isPassed(proof, report));
    if (proofs.length === 0) return [`${promise}: no test is named`];
    return missing.map(({ title, file }) => `${promise}: "${title}" of ${file} did not run and pass`);
  });
}

/**
 * A proof may be a test or a group of them; titles are compared without the requirements that they cite.
 *
 * @param {import('./promises.d.mts').Proof} proof
 * @param {import('./promises.d.mts').Report} report
 */
function isPassed({ title, file }, { testResults }) {
  const found = testResults
    .filter(({ name }) => name.endsWith(`/${file}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => [...test.ancestorTitles, test.title.replace(/ \[[A-Z\d -]+\]$/, '')].includes(title));
  return found.length > 0 && found.every(({ status }) => status === 'passed');
}
