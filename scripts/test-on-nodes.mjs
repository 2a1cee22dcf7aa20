import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
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
/** @type {string[]} */
const failures = [];
for (const version of wanted) failures.push(...(await failuresOn(version)));
// Failures come last as well: where only the end of a log is kept, the names must be in it.
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;

/** @param {string} version */
async function failuresOn(version) {
  const exact = versions[version];
  if (exact === undefined) throw new Error(`choose among Node ${Object.keys(versions).join(', ')}, not ${version}`);
  const node = nodeOfVersion(exact);
  console.log(`Node ${exact}: ${paths.join(' ') || 'all tests'}`);
  const child = spawn(node, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', ...paths], {
    cwd: project,
    stdio: ['inherit', 'inherit', 'pipe'],
    // What the tests start by name must be the same Node. One browser is enough: the pages are the same on all of them.
    env: { TEST_BROWSERS: 'Chromium', ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` },
  });
  child.stderr.pipe(process.stderr);
  const [[status], printed] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  return status === 0 ? [] : [`Tests fail on Node ${exact}:`, failuresIn(printed)];
}

/**
 * What Vitest printed about failed tests and unhandled errors: all from the first heading on.
 * @param {string} printed
 */
function failuresIn(printed) {
  const start = printed.search(/^.*\b(?:Failed (?:Suites|Tests)|Unhandled Errors)\b/m);
  return printed.slice(start < 0 ? -2000 : start);
}
