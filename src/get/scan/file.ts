import { isUtf8 } from 'node:buffer';
import type { Language } from './code/unit.ts';
import { languageNamed } from './document.ts';

/** A file of a skill, sorted by what it is. */
export interface ScannedFile {
  /** The path from the folder of the skill, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly isExecutable: boolean;
  /** The text, where it is one; empty otherwise. */
  readonly text: string;
  readonly kind: 'document' | 'script' | 'data' | 'binary';
  readonly language: Language | null;
}

const scripts: Readonly<Record<string, Language>> = {
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  command: 'shell',
  ksh: 'shell',
  fish: 'shell',
  envrc: 'shell',
  py: 'python',
  pyw: 'python',
  pth: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  ...Object.fromEntries(
    // Those for which there is no parser.
    `ps1 psm1 psd1 rb rake gemspec podspec pl pm t php phtml scpt applescript jxa lua luau go rs zig nim cr bat cmd vbs vbe wsf wsh jse hta
    sct java kt kts groovy gradle scala sbt clj cljs swift r jl ex exs erl hs ml fs fsx cs csx c cc cpp m mm d dart tcl expect awk gawk sed sql
    vim el nix tf hcl bzl ahk au3 coffee raku nu reg`
      .split(/\s+/)
      .map((extension): [string, Language] => [extension, 'loose']),
  ),
};
const data = /^(?:json|jsonc|jsonl|toml|ya?ml|ini|cfg|conf|xml|plist|csv|tsv|lock|svg|properties|env|ipynb)$/;

export function fileOf(path: string, bytes: Buffer, isExecutable: boolean): ScannedFile {
  const base = { path, bytes, isExecutable };
  if (!isTextual(bytes)) return { ...base, text: '', kind: 'binary', language: null };
  const text = decodedText(bytes);
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
  const language = shebangOf(text) ?? (Object.hasOwn(scripts, extension) ? (scripts[extension] ?? null) : named(name));
  if (language !== null) return { ...base, text, kind: 'script', language };
  return { ...base, text, kind: data.test(extension) ? 'data' : 'document', language: null };
}

function isTextual(bytes: Buffer): boolean {
  if (bytes.length === 0 || isWide(bytes)) return true;
  const start = bytes.subarray(0, 8192);
  return !start.includes(0) && (isUtf8(bytes) || latinShare(start) > 0.9);
}

function isWide([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function latinShare(bytes: Buffer): number {
  let plain = 0;
  for (const byte of bytes) if (byte >= 32 && byte < 127) plain++;
  return plain / Math.max(bytes.length, 1);
}

function decodedText(bytes: Buffer): string {
  if (!isWide(bytes)) return bytes.toString('utf8');
  const even = bytes.subarray(0, bytes.length & ~1);
  return (bytes[0] === 0xfe ? Buffer.from(even).swap16() : even).toString('utf16le');
}

function shebangOf(text: string): Language | null {
  if (!text.startsWith('#!')) return null;
  const [, program = ''] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?\S*?([\w.+-]+)(?:\s|$)/.exec(text.slice(0, 200)) ?? [];
  return languageNamed(program.replace(/[\d.]+$/, '')) ?? 'loose';
}

/** Files that are scripts by their names. */
function named(name: string): Language | null {
  if (
    /^(?:rakefile|gemfile|guardfile|fastfile|dangerfile|podfile|brewfile|vagrantfile|jenkinsfile|cmakelists\.txt|meson\.build|sconstruct|\.irbrc|\.pryrc)$/.test(
      name,
    )
  )
    return 'loose';
  if (
    /^(?:makefile|gnumakefile|.*\.mk|justfile|(?:dockerfile|containerfile)(?:\..*)?|.*\.dockerfile|\.?(?:bash|zsh)rc|\.profile|pre-commit|post-\w+|pre-push)$/.test(
      name,
    )
  )
    return 'shell';
  return null;
}
