import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import configurations from '../rolldown.config.mjs';

// The bundles, without a word unless something is wrong. What is there already stays: tests that run meanwhile start programs of it.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// By folder: the clone that tries the package borrows these modules.
const record = `node_modules/.cache/repertoire/built-${createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12)}`;
const made = configurations.map(({ output }) => output.dir).filter((folder, at, all) => all.indexOf(folder) === at);

if (recorded() !== state()) {
  for (const { output, ...input } of configurations) {
    const bundle = await rolldown(input);
    await bundle.write(output);
    await bundle.close();
  }
  // npm makes commands executable when it installs; a checkout does not.
  chmodSync('dist/cli/bin.cjs', 0o755);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, state());
}

/** The state after the last build, as far as one is known. */
function recorded() {
  try {
    return readFileSync(record, 'utf8');
  } catch {
    return undefined;
  }
}

/** A digest of what the bundles are made of, and of what was made: nobody has touched the files. */
function state() {
  const hash = createHash('sha256');
  const code = filesIn('src').filter((file) => !file.endsWith('.test.ts'));
  const builders = importedBy('scripts/build.mjs');
  for (const file of ['package.json', 'node_modules/.package-lock.json', ...builders, ...code]) {
    hash.update(`\0${file}\0`).update(contentOf(file));
  }
  for (const file of made.flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`\0${file}\0${size} ${mtimeMs}`);
  }
  return hash.digest('hex');
}

/**
 * A script, and those that it imports.
 * @param {string} file
 * @returns {string[]}
 */
function importedBy(file) {
  const imports = [...String(contentOf(file)).matchAll(/^import .* from '(\.[^']+)';$/gm)];
  return [file, ...imports.flatMap(([, path = '']) => importedBy(join(dirname(file), path)))];
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return '';
  }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [];
  }
}
