import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fieldOf, readJson } from '../formats/documents.ts';
import { version } from '../version.ts';
import { isThere } from './files.ts';

/**
 * Finds a file that ships with the package, by its path from the package's folder. The bundles, the library and the
 * sources lie at different depths below it, so that folder is searched for upwards, and must really be ours. Undefined
 * where it is not, as in a library that was bundled into something else, or where the file was not installed.
 */
export function packageFile(path: string): string | undefined {
  const folder = packageFolder(dirname(fileURLToPath(import.meta.url)));
  const file = folder === undefined ? undefined : join(folder, path);
  return file !== undefined && isThere(file) ? file : undefined;
}

function packageFolder(from: string): string | undefined {
  const manifest = readJson(join(from, 'package.json'));
  if (manifest.kind === 'absent') return dirname(from) === from ? undefined : packageFolder(dirname(from));
  const isOurs = fieldOf(manifest, 'name') === 'repertoire' && fieldOf(manifest, 'version') === version();
  return isOurs ? from : undefined;
}

/**
 * Finds the entry of a package that is not a dependency of ours, where a user has installed it: beside this package, or
 * with `--global`. Never where a command was started: a checkout's `node_modules` would run with all that the user may do.
 */
export function packageBeside(name: string): string | undefined {
  const places = [fileURLToPath(import.meta.url), join(dirname(dirname(process.execPath)), 'lib', 'x')];
  for (const place of places) {
    try {
      return createRequire(place).resolve(name);
    } catch {
      // not there
    }
  }
  return undefined;
}
