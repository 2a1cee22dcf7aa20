import { posix, sep } from 'node:path';
import { entriesOf, isThere, readRegularPart, realPathOf, statOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { type Parsed, type Problem, parsed, problem, shown } from '../../core/schema/parsed.ts';
import { byText } from '../../core/text/text.ts';
import type { Declared } from './manifest/declared.ts';

/** The reason why a path is not that of a file of the skill. */
export interface NoFile extends Problem {
  readonly kind: 'outside' | 'absent' | 'no file';
}

/** The real path of a file of a skill, whose real folder is given: never of one that lies elsewhere. */
export function fileOf(folder: string, path: string): Parsed<string> | NoFile {
  const clean = posix.normalize(path);
  if (path.includes('\0') || posix.isAbsolute(path) || clean === '..' || clean.startsWith('../')) {
    const remedy = 'Name a file below the folder of the skill.';
    return { ...problem(`${shown(path)} is not a file of the skill`, remedy), kind: 'outside' };
  }
  const real = realPathOf(folder + sep + clean);
  if (!real.ok) {
    const message = `${shown(path)} is not in the skill (${real.reason})`;
    return { ...problem(message, 'Correct the path, or add the file.'), kind: 'absent' };
  }
  if (!isInside(folder, real.value)) {
    const message = `${shown(path)} is a link that leads out of the skill`;
    return { ...problem(message, 'Copy the file into the skill.'), kind: 'outside' };
  }
  const stats = statOf(real.value);
  if (stats.ok && stats.value.isFile()) return parsed(real.value);
  return { ...problem(`${shown(path)} is not a regular file`, 'Name a regular file.'), kind: 'no file' };
}

const kinds: Readonly<Record<string, 'core' | 'component'>> = {
  '0061736d01000000': 'core',
  '0061736d0d000100': 'component',
};

/** The kind of a WebAssembly file of a skill, by its first bytes. */
export function wasmKindOf(folder: string, file: string): Parsed<'core' | 'component'> {
  const real = fileOf(folder, file);
  if (!real.ok) return real;
  const head = readRegularPart(real.value, 0, 8);
  const kind = head.ok ? kinds[head.value.bytes.toString('hex')] : undefined;
  const remedy = 'Name a file that was compiled to WebAssembly, usually one that ends with .wasm.';
  return kind === undefined ? problem(`${shown(file)} is not a WebAssembly file`, remedy) : parsed(kind);
}

/** The WebAssembly that a skill's tools may come from. */
export interface WasmFiles {
  readonly component: string | null;
  /** A core module that is named as the skill's own, and that no manifest speaks of. */
  readonly module: string | null;
  /** Paths where it was looked for, beside the folder itself. */
  readonly looked: readonly string[];
  /** Files that are named as the skill's own, and are something else. */
  readonly unusable: readonly { readonly file: string; readonly message: string }[];
}

const most = 10;

/**
 * Finds the WebAssembly that a manifest names, or that lies in the usual places: at the top of the skill, or where
 * compilers put it.
 */
export function wasmIn(
  { name }: { readonly name: string },
  { folder, declared }: { readonly folder: string; readonly declared: Declared },
): WasmFiles {
  const { runtime, image, module } = declared;
  if (runtime === 'docker' || image !== null) return { component: null, module: null, looked: [], unusable: [] };
  const usual = ['skill.wasm', 'dist/skill.wasm', `${posix.basename(name)}.wasm`];
  const candidates = module === null ? [...new Set([...usual, ...topFiles(folder)])] : [module];
  const kinds = candidates.slice(0, most).map((file) => ({ file, kind: wasmKindOf(folder, file) }));
  const known = kinds.flatMap(({ file, kind }) => (kind.ok ? [{ file, kind: kind.value }] : []));
  const dist = `${folder}${sep}dist`;
  return {
    component: known.find(({ kind }) => kind === 'component')?.file ?? null,
    module:
      module === null ? (known.find(({ file, kind }) => kind === 'core' && usual.includes(file))?.file ?? null) : null,
    looked: isThere(dist) ? [dist] : [],
    unusable: kinds.flatMap(({ file, kind }) =>
      !kind.ok && usual.includes(file) && isThere(folder + sep + file) ? [{ file, message: kind.message }] : [],
    ),
  };
}

function topFiles(folder: string): readonly string[] {
  const entries = entriesOf(folder);
  const names = entries.ok ? entries.value.map((entry) => entry.name) : [];
  return names.filter((file) => file.endsWith('.wasm')).sort(byText);
}
