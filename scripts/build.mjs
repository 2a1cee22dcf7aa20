import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import configurations from '../rolldown.config.mjs';

// The bundles, without a word unless something is wrong.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
for (const { output, ...input } of configurations) {
  const bundle = await rolldown(input);
  await bundle.write(output);
  await bundle.close();
}
// npm makes commands executable when it installs; a checkout does not.
chmodSync('dist/cli/bin.cjs', 0o755);
