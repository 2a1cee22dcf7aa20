import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const shim = dirname(dirname(require.resolve('@bytecodealliance/preview2-shim/instantiation')));

/** What a thread of the system interface of components runs. */
export const ioWorker = join(shim, 'io', 'worker-thread.js');

/**
 * What is changed in files of the packages, by the ends of their names. A thread gets a name that tells Node what it is; a hint
 * about how a file will be read is left out, since it takes native code.
 * @type {Readonly<Record<string, readonly [string, string]>>}
 */
const changes = {
  '/io/worker-io.js': ['./worker-thread.bundle.js', './wasm-component-io.mjs'],
  '/io/worker-filesystem.js': ['require("@bytecodealliance/jco-node-fs").fadvise', '(() => undefined)'],
  '/js-component-bindgen-component.js': ['"use components";', ''],
};

/**
 * Puts the files that the transpiler opens beside it.
 *
 * @returns {import('rolldown').Plugin}
 */
export function besideComponents() {
  return {
    name: 'beside-components',
    transform(code, id) {
      const [, change] = Object.entries(changes).find(([end]) => id.endsWith(end)) ?? [];
      if (change === undefined) return null;
      if (!code.includes(change[0])) throw new Error(`${id} has changed: there is no ${change[0]} in it`);
      for (const [, path = ''] of code.matchAll(/new URL\('(\.\/[\w.-]+\.wasm)', import\.meta\.url\)/g)) {
        this.emitFile({ type: 'asset', fileName: basename(path), source: readFileSync(join(dirname(id), path)) });
      }
      return code.replace(...change);
    },
  };
}
