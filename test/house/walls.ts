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

/**
 * Readers make a typed value of a stranger's. Schemas have one, in `kernel/schema-reader.ts`; whatever else does so is listed
 * here by room and function, with the reason.
 */
export const readers: Readonly<Record<string, string>> = {
  'kernel: read': 'the reader',
  'kernel: textOf': "one text of a file that is otherwise an agent's own business",
  'discovery: entriesIn': "agents' own files: what can be understood is taken, and the rest is none of ours",
  'discovery: keyOf': 'the same',
  'discovery: installationOf': 'the same',
  'discovery: pathsIn': 'the same',
  'kernel: parseDuration': 'amounts in words, which schemas read by these parsers',
  'kernel: parseSize': 'the same',
  'kernel: parseCount': 'the same',
  'kernel: positive': 'the same',
  'policy: parseSeconds': 'the same',
  'tools: memory': 'the same in a manifest',
  'tools: plainValue': 'the same for a variable',
  'tools: jsonOf': 'a value of TOML as JSON, for the JSON Schema of a stranger',
  'tools: converted': 'the same',
  'tools: itemsOf': 'writes arguments of values that a JSON Schema has passed',
  'tools: argumentOf': 'the same',
  'policy: capabilitiesOf': 'grants as we write them: anything else grants nothing, whatever is wrong with it',
  'engine: createStartupCache': 'compares, and reads nothing',
  'engine: readInput': 'the input of operations, by their schemas, in words for who asked',
  'mcp: checkArguments': 'the arguments of calls, in words for models',
  'mcp: callTool': 'hands them on',
  'mcp: readMessage': 'JSON-RPC, before the protocol library is loaded, which judges it again',
  'mcp: answerTo': 'the same over HTTP',
  'mcp: batchProblemIn': 'the same',
  'sandbox: answered': 'values of WebAssembly components, by types of their own',
  'sandbox: describedTools': 'the same',
  'sandbox: toolFrom': 'the same',
  'sandbox: recordFrom': 'the same',
  'sandbox: skipped': 'the same',
  'sandbox: longInteger': 'the same',
  'sandbox: arrayFrom': 'the same',
  'sandbox: objectFrom': 'the same',
  'search: numbersOf': 'embeddings: a hundred thousand numbers in an answer',
  'search: listed': 'the same',
  'setup: jsonOf': 'what a parser of TOML gives',
  'setup: scalarOf': 'what a parser of YAML gives',
  'skill: scalarOf': 'the same',
  'skill: leastOf': 'the same',
  'skill: textStart': 'the same',
  'skill: repeatedKeys': 'the same',
  'ui: enforced': 'shows what the server has read',
  'ui: fact': 'the same',
  'ui: mono': 'the same',
  'ui: recordFrom': 'the same',
  'ui: post': 'sends, and reads nothing',
};

const signature =
  /(?:\bfunction\*? (\w+)(?:<[^(]*?>)?|\bconst (\w+)(?::[^=\n]*)? = (?:async )?)\(([^()]*(?:\([^()]*\)[^()]*)*)\): ([^={;]+?(?:\{[^}]*\}[^={;]*?)?)(?: =>| \{\n)/g;
/** What was thrown is nobody's value. */
const takesStrange = /(?<!\berror|\bcause)\??: unknown\b(?!\[)/;
/** Whether it is one, how it is shown, and what gives it back as it came: none of them vouches for what it is. */
const vouchesForNothing = /^(?:Promise<)?(?:boolean|void|never|undefined|string|unknown|\w+ is .*|asserts .*)>?$/s;

/** Every function that makes a typed value of an `unknown`, as `room: name`. */
export function readersIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(signature)].flatMap(([, name, other, parameters = '', result = '']) =>
      takesStrange.test(withoutCallbacks(parameters)) && !vouchesForNothing.test(result.trim())
        ? [`${roomOf(path)}: ${name ?? other}`]
        : [],
    ),
  );
}

/** What a function is given to call is no value. */
function withoutCallbacks(parameters: string): string {
  return parameters.replace(/\([^()]*\)/g, '');
}
