import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * What a module of TypeScript exports, on any Node that the build runs on.
 * @param {string} file from the folder of the project
 */
export async function evaluate(file) {
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-evaluate-'));
  try {
    const bundle = await rolldown({
      input: fileURLToPath(new URL(`../${file}`, import.meta.url)),
      platform: 'node',
      logLevel: 'silent',
    });
    await bundle.write({ file: join(folder, 'module.mjs'), format: 'esm' });
    return await import(pathToFileURL(join(folder, 'module.mjs')).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
