import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOfVersion } from './node-of-version.mjs';

/**
 * Runs tests on other versions of Node than the one at hand: `npm run nodes`, or `npm run nodes -- 22 24 --all`.
 * Numbers choose versions, `--all` runs every test, anything else is handed to Vitest, such as a folder of tests.
 */
/** @type {Readonly<Record<string, string>>} */
const versions = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' };
/** What has differed between versions of Node, or uses most of it. */
const usual = ['serve', 'http', 'run', 'search', 'console'].map((folder) => `test/${folder}/`);

const project = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const chosen = given.filter((word) => /^\d+$/.test(word));
const others = given.filter((word) => !/^\d+$/.test(word) && word !== '--all');
const paths = others.length > 0 ? others : given.includes('--all') ? [] : usual;

const here = process.versions.node.split('.', 1)[0];
const wanted = chosen.length > 0 ? chosen : Object.keys(versions).filter((version) => version !== here);
const results = mkdtempSync(join(tmpdir(), 'results-'));
const failures = wanted.flatMap((version) => failuresOn(version));
rmSync(results, { recursive: true });
// Failures come last as well: where only the end of a log is kept, the names must be in it.
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;

/** @param {string} version */
function failuresOn(version) {
  const exact = versions[version];
  if (exact === undefined) throw new Error(`choose among Node ${Object.keys(versions).join(', ')}, not ${version}`);
  const node = nodeOfVersion(exact);
  console.log(`Node ${exact}: ${paths.join(' ') || 'all tests'}`);
  const file = join(results, `${version}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...paths], {
    cwd: project,
    stdio: 'inherit',
    // What the tests start by name must be the same Node. One browser is enough: the pages are the same on all of them.
    env: { TEST_BROWSERS: 'Chromium', ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` },
  });
  return status === 0 ? [] : [`Tests fail on Node ${exact}:`, ...failuresIn(file)];
}

/**
 * The failed tests of a report, each with the first lines of its reason.
 * @param {string} file
 */
function failuresIn(file) {
  /** @type {{ testResults: { name: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return ['  no report was written; see above'];
  }
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const reasons = failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`);
    if (message !== '') reasons.push(message);
    return reasons.map((reason) => `  ${relative(project, name)}: ${reason.split('\n').slice(0, 12).join('\n    ')}`);
  });
}
