import { copyFileSync, existsSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import configurations from '../rolldown.config.mjs';
import { probeFile } from './measure.mjs';

/**
 * Bundles a floor as the program is bundled, for a comparison of like with like. What the program puts in place of parts
 * of libraries is left as it comes, unless it is a part of ours that is bundled.
 *
 * @param {string} input
 * @param {string} file
 * @param {'theirs' | 'ours'} libraries
 */
export async function bundle(input, file, libraries = 'theirs') {
  const [{ platform, treeshake, resolve, output }] = configurations;
  const { format, minify } = output;
  const built = await rolldown({ input, platform, treeshake, ...(libraries === 'ours' && { resolve }) });
  await built.write({ file, format, minify, codeSplitting: false });
  await built.close();
}

/**
 * A probe that looks at parts which the library does not give away one by one, bundled into the sandbox. What comes
 * with the package is looked for in the folders above, so it is linked there.
 *
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {string} name
 */
export async function bundledProbe(sandbox, name) {
  const file = sandbox.path(`${name}.cjs`);
  await bundle(probeFile(name), file, 'ours');
  const ours = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  // A copy: the folder of a link's target would be taken for the package's.
  copyFileSync(ours('package.json'), sandbox.path('package.json'));
  for (const folder of ['assets', 'dist']) {
    if (!existsSync(sandbox.path(folder))) symlinkSync(ours(folder), sandbox.path(folder));
  }
  return file;
}
