import { builtinModules } from 'node:module';
import { posix } from 'node:path';

/** A room may import from the rooms listed, and from itself. Everything points one way: towards the kernel. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  config: ['kernel'],
  skill: ['kernel'],
  agents: ['kernel'],
  discovery: ['kernel', 'skill', 'agents'],
  registry: ['kernel', 'skill', 'agents', 'discovery'],
  search: ['kernel', 'skill'],
  policy: ['kernel', 'agents'],
  tools: ['kernel', 'skill', 'policy'],
  sandbox: ['kernel', 'policy'],
  audit: ['kernel'],
  output: ['kernel'],
  setup: ['kernel', 'agents'],
  engine: [
    'kernel',
    'config',
    'skill',
    'agents',
    'discovery',
    'registry',
    'search',
    'policy',
    'tools',
    'sandbox',
    'audit',
    'output',
    'setup',
  ],
  http: ['kernel'],
  mcp: ['kernel', 'config', 'skill', 'registry', 'tools', 'output', 'engine', 'http'],
  web: ['kernel', 'engine', 'http'],
  cli: ['kernel', 'config', 'engine', 'registry', 'http', 'mcp', 'web'],
  ui: [],
};

/** Rooms that run elsewhere: they may know the form of what others tell them, and nothing more. */
export const apart: Readonly<Record<string, readonly string[]>> = {
  ui: ['web', 'engine', 'kernel'],
};

/** Pure functions over texts and numbers that rooms elsewhere may run too, so that a person reads the same words everywhere. */
export const everywhere: ReadonlySet<string> = new Set([
  'kernel/hidden.ts',
  'kernel/near.ts',
  'kernel/parsed.ts',
  'kernel/plain-output.ts',
  'kernel/quantities.ts',
  'kernel/schema.ts',
  'kernel/schema-reader.ts',
  'kernel/text.ts',
]);

/** The files of no room: the two doors. */
export const doors: Readonly<Record<string, readonly string[]>> = {
  'bin.ts': ['cli'],
  'index.ts': ['engine', 'kernel', 'skill', 'output', 'policy', 'sandbox'],
};

/** Packages live behind one wall each, so that replacing one touches one room. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'jq-wasm': ['output'],
  stemmer: ['search'],
  yaml: ['kernel', 'skill', 'setup'],
  'smol-toml': ['kernel'],
  '@modelcontextprotocol/server': ['mcp'],
  '@modelcontextprotocol/client': ['setup'],
  '@cfworker/json-schema': ['tools'],
  dockerode: ['sandbox'],
  '@bjorn3/browser_wasi_shim': ['sandbox'],
  '@bytecodealliance/jco-transpile': ['sandbox'],
  '@bytecodealliance/preview2-shim': ['sandbox'],
  preact: ['ui'],
  // Types alone.
  mdast: ['ui'],
  '@preact/signals': ['ui'],
  'mdast-util-from-markdown': ['ui'],
  'mdast-util-gfm': ['ui'],
  'micromark-extension-gfm': ['ui'],
};

/** Parts of Node that reach outside: who needs them must be named here. */
export const guarded: Readonly<Record<string, readonly string[]>> = {
  child_process: ['sandbox', 'setup', 'web'],
  cluster: [],
  dgram: [],
  dns: ['http', 'sandbox'],
  net: ['http', 'sandbox'],
  http: ['http', 'sandbox'],
  http2: [],
  https: [],
  inspector: [],
  tls: [],
  vm: ['kernel'],
  wasi: ['sandbox'],
  worker_threads: ['engine', 'output', 'sandbox'],
};

export interface SourceFile {
  /** From the source folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

const importing =
  /(?:\b(?:import|export)\b[^'";]*?\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+|\bgetBuiltinModule\(\s*)(['"])([^'"\n]+)\1/gm;

/** Every import that goes through a wall, in words. */
export function violationsIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(importing)].flatMap(([whole, , target = '']) => {
      const problem = problemWith(path, target, isOfTypes(whole));
      return problem === null ? [] : [`${path}: ${problem}`];
    }),
  );
}

/** What is gone when the program is built. */
function isOfTypes(statement: string): boolean {
  return /^\s*import\s+type\b/.test(statement);
}

function problemWith(path: string, target: string, isType: boolean): string | null {
  const room = roomOf(path);
  if (target.startsWith('.')) return problemInside(path, room, target, isType);
  const name = target.replace(/^node:/, '');
  if (builtinModules.includes(name)) {
    if (room in apart) return `must not use node:${name}`;
    const allowed = guarded[name.split('/')[0] ?? ''];
    return allowed === undefined || allowed.includes(room) ? null : `must not use node:${name}`;
  }
  return packages[packageOf(target)]?.includes(room) ? null : `must not use the package ${target}`;
}

function problemInside(path: string, room: string, target: string, isType: boolean): string | null {
  const place = posix.join(posix.dirname(path), target);
  if (place.startsWith('..')) return place === '../package.json' ? null : `leaves the source folder: ${target}`;
  const other = roomOf(place);
  const allowed = room in rooms ? [room, ...(rooms[room] ?? [])] : (doors[path] ?? []);
  if (apart[room]?.includes(other) && (isType || everywhere.has(place))) return null;
  if (everywhere.has(path) && !everywhere.has(place) && !isType) return `must run everywhere, without ${target}`;
  return allowed.includes(other) ? null : `must not import from ${other}: ${target}`;
}

/** `@scope/name/sub/path` is the package `@scope/name`. */
function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

function roomOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : path;
}
