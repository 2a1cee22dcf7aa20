import { rolldown } from 'rolldown';
import configurations from '../rolldown.config.mjs';

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
