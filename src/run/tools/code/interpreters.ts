import { posix } from 'node:path';
import { parseCommand } from '../../policy/names.ts';
import { splitWords } from '../words.ts';

/** Interpreters by the extension of a file. */
const byExtension: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh'],
  bash: ['bash'],
  zsh: ['zsh'],
  fish: ['fish'],
  ksh: ['ksh'],
  py: ['python3'],
  js: ['node'],
  mjs: ['node'],
  cjs: ['node'],
  rb: ['ruby'],
  pl: ['perl'],
  php: ['php'],
  lua: ['lua'],
  r: ['Rscript'],
  ps1: ['pwsh', '-File'],
  tcl: ['tclsh'],
  awk: ['awk', '-f'],
  jl: ['julia'],
  exs: ['elixir'],
};

/** The first bytes of programs that run by themselves: ELF and Mach-O. */
const binaries = ['7f454c46', 'cffaedfe', 'cefaedfe', 'cafebabe'];

/**
 * The interpreter of a script: the program and its own arguments, to which the file is added; empty for a program that
 * runs by itself. Null for a file that is not a script.
 */
export function interpreterOf(name: string, head: Uint8Array): readonly string[] | null {
  const begin = Buffer.from(head.subarray(0, 512));
  if (binaries.includes(begin.subarray(0, 4).toString('hex'))) return [];
  const [firstLine = ''] = begin.toString('utf8').split(/\r?\n/, 1);
  const shebang = firstLine.replace(/^\ufeff/, '');
  if (shebang.startsWith('#!')) return fromShebang(shebang.slice(2).trim()) ?? fromExtension(name);
  return fromExtension(name);
}

function fromExtension(name: string): readonly string[] | null {
  const extension = posix.extname(name).slice(1).toLowerCase();
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
}

/**
 * Reads a shebang as systems do: a program, found by its name, and at most one argument. `env` looks a program up; with
 * `-S` it splits the rest.
 */
function fromShebang(line: string): readonly string[] | null {
  const [, path = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  if (!posix.isAbsolute(path)) return null;
  if (posix.basename(path) !== 'env') return named([posix.basename(path), ...(rest === '' ? [] : [rest])]);
  const [, split] = /^(?:-S|--split-string[= ])\s*(.+)$/.exec(rest) ?? [];
  const words = split === undefined ? { ok: true as const, value: rest.split(/\s+/, 1) } : splitWords(split);
  if (!words.ok) return null;
  return named(words.value);
}

/** The words, if the first one can be the name of a program. */
function named(words: readonly string[]): readonly string[] | null {
  return parseCommand(words[0] ?? '').ok ? words : null;
}
