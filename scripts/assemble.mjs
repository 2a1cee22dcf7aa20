import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

// Makes the modules that are written as text, each beside its source, or all in the folder that is named. Run it after every
// change of a source: a test does the same and compares, so that what can be read and what is run do not part.
const sources = ['src/search/vectors/kernel.wat', 'src/run/sandbox/wasm/probe.wat'];
const [folder] = process.argv.slice(2);

const assembler = await wabt();
for (const path of sources) {
  const source = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const name = basename(path, '.wat');
  const module = assembler.parseWat(`${name}.wat`, readFileSync(source, 'utf8'), { simd: true });
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  const target = source.replace(/\.wat$/, '.ts');
  writeFileSync(
    folder === undefined ? target : join(folder, basename(target)),
    `/** ${name}.wat, assembled: ${buffer.length} bytes. Written by scripts/assemble.mjs; change the source instead. */
export const ${name} =
  '${Buffer.from(buffer).toString('base64')}';
`,
  );
}
