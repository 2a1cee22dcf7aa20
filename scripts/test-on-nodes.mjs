import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
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
const failed = wanted.filter((version) => !passes(version));
if (failed.length > 0) {
  console.error(`Tests fail on Node ${failed.join(', ')}.`);
  process.exitCode = 1;
}

/** @param {string} version */
function passes(version) {
  const exact = versions[version];
  if (exact === undefined) throw new Error(`choose among Node ${Object.keys(versions).join(', ')}, not ${version}`);
  const node = nodeOfVersion(exact);
  console.log(`Node ${exact}: ${paths.join(' ') || 'all tests'}`);
  const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', ...paths], {
    cwd: project,
    stdio: 'inherit',
    // What the tests start by name must be the same Node.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` },
  });
  return status === 0;
}
