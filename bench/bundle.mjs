import { rolldown } from 'rolldown';
import configurations from '../rolldown.config.mjs';

/**
 * Bundles a floor as the program is bundled, for a comparison of like with like; only what the program puts in place of
 * parts of the protocol library is left as it comes.
 *
 * @param {string} input
 * @param {string} file
 */
export async function bundle(input, file) {
  const [{ platform, treeshake, output }] = configurations;
  const { format, minify } = output;
  const built = await rolldown({ input, platform, treeshake });
  await built.write({ file, format, minify, codeSplitting: false });
  await built.close();
}
