import { copyFileSync, existsSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { probeFile } from './measure.mjs';

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
