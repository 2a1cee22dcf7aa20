import { readRegularPart } from '../kernel/files.ts';
import { type Parsed, parsed, problem, shown } from '../kernel/parsed.ts';
import { fileOf } from './skill-files.ts';

const kinds: Readonly<Record<string, 'core' | 'component'>> = {
  '0061736d01000000': 'core',
  '0061736d0d000100': 'component',
};

/** Of which kind a WebAssembly file of a skill is, as its first bytes say. */
export function wasmKindOf(folder: string, file: string): Parsed<'core' | 'component'> {
  const real = fileOf(folder, file);
  if (!real.ok) return real;
  const head = readRegularPart(real.value, 0, 8);
  const kind = head.ok ? kinds[head.value.bytes.toString('hex')] : undefined;
  const remedy = 'Name a file that was compiled to WebAssembly, usually one that ends with .wasm.';
  return kind === undefined ? problem(`${shown(file)} is not a WebAssembly file`, remedy) : parsed(kind);
}
