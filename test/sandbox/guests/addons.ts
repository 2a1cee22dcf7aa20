import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A folder in which the add-on is installed for real; null where it is not: it is large, and nobody needs it else. */
export function realAddon(): string | null {
  const project = fileURLToPath(new URL('../../..', import.meta.url));
  const folders = [process.env['REPERTOIRE_TEST_ADDON'], project].filter((folder) => folder !== undefined);
  return folders.find((folder) => resolvedFrom(folder) !== null) ?? null;
}

function resolvedFrom(folder: string): string | null {
  try {
    return createRequire(join(folder, 'from.js')).resolve('@bytecodealliance/jco-transpile/wasm-tools');
  } catch {
    return null;
  }
}

/** The binary of a component from its text, by the add-on's own assembler. */
export async function assembleComponent(addon: string, text: string): Promise<Uint8Array> {
  const tools = (await import(pathToFileURL(resolvedFrom(addon) ?? '').href)) as {
    parse(text: string): Promise<Uint8Array>;
  };
  return tools.parse(text);
}

/**
 * A stand-in for the add-on, as far as we use it: whatever it is given, it hands over the same JavaScript. So that all
 * that is ours can be tried without it.
 */
export function fakeAddon(folder: string, generated: string, { imports = [] as string[], files = {} } = {}): void {
  const list = Object.entries({ 'component.js': generated, ...files });
  install(folder, 'jco-transpile', {
    './component': `export const $init = Promise.resolve();
      export function generate(bytes) {
        const encoder = new TextEncoder();
        const seen = 'export const madeFrom = ' + bytes.length + ';';
        return {
          files: ${JSON.stringify(list)}.map(([name, text]) => [name, encoder.encode(text + seen)]),
          imports: ${JSON.stringify(imports)},
        };
      }`,
  });
  install(folder, 'preview2-shim', {
    './instantiation': `export class WASIShim {
        constructor(options) { this.options = options; }
        getImportObject() { return { 'wasi:test/options': { get: () => JSON.stringify(this.options) } }; }
      }`,
  });
}

function install(folder: string, name: string, exported: Readonly<Record<string, string>>): void {
  const place = join(folder, 'node_modules', '@bytecodealliance', name);
  mkdirSync(place, { recursive: true });
  const exports = Object.fromEntries(Object.keys(exported).map((key) => [key, `${key}.js`]));
  const manifest = { name: `@bytecodealliance/${name}`, version: '1.0.0', type: 'module', exports };
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  for (const [key, text] of Object.entries(exported)) writeFileSync(join(place, `${key}.js`), text);
}
