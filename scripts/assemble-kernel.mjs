import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

// Makes kernel.ts from kernel.wat, or the file that is named. Run it after every change of the source: a test does the
// same and compares, so that what can be read and what is run do not part.
const folder = new URL('../src/search/vectors/', import.meta.url);
const target = process.argv[2] ?? fileURLToPath(new URL('kernel.ts', folder));
const source = readFileSync(new URL('kernel.wat', folder), 'utf8');

const assembler = await wabt();
const module = assembler.parseWat('kernel.wat', source, { simd: true });
module.validate();
const { buffer } = module.toBinary({});
module.destroy();

writeFileSync(
  target,
  `/** kernel.wat, assembled: ${buffer.length} bytes. Written by scripts/assemble-kernel.mjs; change the source instead. */
export const kernel =
  '${Buffer.from(buffer).toString('base64')}';
`,
);
