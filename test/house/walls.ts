import { builtinModules } from 'node:module';
import { posix } from 'node:path';

/** A room may import from the rooms listed, and from itself. Everything points one way: towards the core. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'core/config': ['core'],
  skill: ['core'],
  agents: ['core'],
  discovery: ['core', 'skill', 'agents'],
  registry: ['core', 'skill', 'agents', 'discovery'],
  search: ['core', 'skill'],
  'run/policy': ['core', 'agents'],
  'run/tools': ['core', 'skill', 'run/policy'],
  'run/sandbox': ['core', 'run/policy'],
  'run/audit': ['core'],
  'run/output': ['core'],
  'get/connect': ['core'],
  'get/remote': ['core', 'skill', 'agents', 'get/connect'],
  'agents/setup': ['core', 'agents', 'get/connect'],
  'get/scan': ['core', 'skill', 'run/policy', 'run/tools'],
  'get/sources': ['core', 'skill', 'get/connect', 'get/remote'],
  'get/install': ['core', 'skill', 'agents', 'run/policy', 'get/scan', 'get/sources'],
  cluster: [
    'core',
    'skill',
    'run/policy',
    'run/sandbox',
    'run/audit',
    'get/connect',
    'get/scan',
    'get/sources',
    'get/install',
  ],
  engine: [
    'core',
    'core/config',
    'skill',
    'agents',
    'discovery',
    'registry',
    'search',
    'run/policy',
    'run/tools',
    'run/sandbox',
    'run/audit',
    'run/output',
    'agents/setup',
    'get/connect',
    'get/remote',
    'get/scan',
    'get/sources',
    'get/install',
    'cluster',
  ],
  'faces/http': ['core'],
  'faces/mcp': ['core', 'core/config', 'skill', 'registry', 'run/tools', 'run/output', 'engine', 'faces/http'],
  'faces/web': ['core', 'engine', 'faces/http'],
  'faces/cli': ['core', 'core/config', 'engine', 'get/scan', 'registry', 'faces/http', 'faces/mcp', 'faces/web'],
  ui: [],
};

/** Rooms that run elsewhere: they may know the form of what others tell them, and nothing more. */
export const apart: Readonly<Record<string, readonly string[]>> = {
  ui: ['faces/web', 'engine', 'core'],
};

/** Pure functions over texts and numbers that rooms elsewhere may run too, so that a person reads the same words everywhere. */
export const everywhere: ReadonlySet<string> = new Set([
  'core/attempt.ts',
  'core/text/diff.ts',
  'core/text/hidden.ts',
  'core/text/near.ts',
  'core/schema/parsed.ts',
  'core/text/plain-output.ts',
  'core/text/quantities.ts',
  'core/schema/schema.ts',
  'core/schema/schema-reader.ts',
  'core/text/text.ts',
]);

/** The files of no room: the two entry points. */
export const entryPoints: Readonly<Record<string, readonly string[]>> = {
  'bin.ts': ['faces/cli'],
  'index.ts': ['engine', 'core', 'skill', 'run/output', 'run/policy', 'run/sandbox'],
};

/** Packages live behind one wall each, so that replacing one touches one room. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'jq-wasm': ['run/output'],
  stemmer: ['search'],
  unbash: ['get/scan'],
  acorn: ['get/scan'],
  '@lezer/python': ['get/scan'],
  // Types alone.
  '@lezer/common': ['get/scan'],
  yaml: ['core', 'skill', 'agents/setup'],
  'smol-toml': ['core'],
  jose: ['faces/http'],
  '@nats-io/transport-node': ['cluster'],
  '@nats-io/jetstream': ['cluster'],
  '@nats-io/kv': ['cluster'],
  '@nats-io/obj': ['cluster'],
  '@modelcontextprotocol/server': ['faces/mcp'],
  '@modelcontextprotocol/client': ['get/connect'],
  '@cfworker/json-schema': ['run/tools'],
  dockerode: ['run/sandbox'],
  '@bjorn3/browser_wasi_shim': ['run/sandbox'],
  '@bytecodealliance/jco-transpile': ['run/sandbox'],
  '@bytecodealliance/preview2-shim': ['run/sandbox'],
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
  child_process: ['run/sandbox', 'get/connect', 'get/sources', 'faces/web'],
  cluster: [],
  dgram: [],
  dns: ['faces/http', 'run/sandbox'],
  net: ['faces/http', 'run/sandbox', 'get/sources'],
  http: ['faces/http', 'run/sandbox', 'get/remote', 'get/sources'],
  http2: [],
  https: ['get/sources', 'faces/http'],
  inspector: [],
  tls: ['get/sources'],
  vm: ['core'],
  wasi: ['run/sandbox'],
  worker_threads: ['cluster', 'core', 'run/output'],
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
  const allowed = room in rooms ? [room, ...(rooms[room] ?? [])] : (entryPoints[path] ?? []);
  if (apart[room]?.includes(other) && (isType || everywhere.has(place))) return null;
  if (everywhere.has(path) && !everywhere.has(place) && !isType) return `must run everywhere, without ${target}`;
  return allowed.includes(other) ? null : `must not import from ${other}: ${target}`;
}

/** `@scope/name/sub/path` is the package `@scope/name`. */
function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

/** The room of a file: `run/sandbox` is one of its own, below what holds several. */
function roomOf(path: string): string {
  const [outer = '', inner = ''] = path.split('/');
  return `${outer}/${inner}` in rooms ? `${outer}/${inner}` : outer;
}

/**
 * Readers make a typed value of a stranger's. Schemas have one, in `core/schema/schema-reader.ts`; whatever else does so is listed
 * here by room and function, with the reason.
 */
export const readers: Readonly<Record<string, string>> = {
  'core: read': 'the reader',
  'core: textOf': "one text of a file that is otherwise an agent's own business",
  'discovery: entriesIn': "agents' own files: what can be understood is taken, and the rest is none of ours",
  'discovery: keyOf': 'the same',
  'discovery: installationOf': 'the same',
  'discovery: pathsIn': 'the same',
  'core: parseTrace': 'two headers of a standard, where what is wrong must be ignored and fail nothing',
  'core: parseDuration': 'amounts in words, which schemas read by these parsers',
  'core: parseSize': 'the same',
  'core: parseCount': 'the same',
  'core: positive': 'the same',
  'run/policy: parseSeconds': 'the same',
  'run/tools: memory': 'the same in a manifest',
  'run/tools: plainValue': 'the same for a variable',
  'run/tools: jsonOf': 'a value of TOML as JSON, for the JSON Schema of a stranger',
  'run/tools: converted': 'the same',
  'run/tools: itemsOf': 'writes arguments of values that a JSON Schema has passed',
  'run/tools: argumentOf': 'the same',
  'engine: createStartupCache': 'compares, and reads nothing',
  'engine: readInput': 'the input of operations, by their schemas, in words for who asked',
  'faces/mcp: checkArguments': 'the arguments of calls, in words for models',
  'faces/mcp: callTool': 'hands them on',
  'faces/mcp: readMessage': 'JSON-RPC, before the protocol library is loaded, which judges it again',
  'faces/mcp: answerTo': 'the same over HTTP',
  'faces/mcp: batchProblemIn': 'the same',
  'get/remote: serverOf': 'by schemas: what is wrong is told in words for whoever reads of the remote',
  'get/remote: offerIn': 'the same',
  'get/remote: offersAt': 'the same',
  'get/remote: bytesIn': 'the same',
  'run/sandbox: answered': 'values of WebAssembly components, by types of their own',
  'run/sandbox: describedTools': 'the same',
  'run/sandbox: toolFrom': 'the same',
  'run/sandbox: recordFrom': 'the same',
  'run/sandbox: skipped': 'the same',
  'run/sandbox: longInteger': 'the same',
  'run/sandbox: arrayFrom': 'the same',
  'run/sandbox: objectFrom': 'the same',
  'search: numbersOf': 'embeddings: a hundred thousand numbers in an answer',
  'search: listed': 'the same',
  'agents/setup: jsonOf': 'what a parser of TOML gives',
  'agents/setup: scalarOf': 'what a parser of YAML gives',
  'skill: scalarOf': 'the same',
  'skill: leastOf': 'the same',
  'skill: textStart': 'the same',
  'skill: repeatedKeys': 'the same',
  'get/scan: literalOf': 'what a parser of JavaScript gives',
  'get/scan: toolHits': 'front matter of a stranger: whatever is no text is left out',
  'get/scan: commandsIn': 'the same for settings of agents',
  'get/scan: fromAddresses': 'the same for manifests of packages',
  'ui: enforced': 'shows what the server has read',
  'ui: fact': 'the same',
  'ui: mono': 'the same',
  'ui: shown': 'the same',
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

/** Files that take parsed JSON for what they expect, without a schema, and why they may. */
export const casts: Readonly<Record<string, string>> = {
  'agents/setup/edit/json.ts': 'any value of JSON, as a parser gives it',
  'core/disk/log-tail.ts': 'lines of our own log, of which everything is shown as text',
  'discovery/cache.ts':
    'our own cache, of thousands of rows: its header is checked, and a row that is not ours drops all of it',
  'engine/freshness/startup-cache.ts':
    'our own cache, read before a server answers: its owner, mode and key are checked',
  'faces/mcp/server.ts': 'a message of the protocol library, which may have another form',
  'get/connect/transport.ts': 'one text of an answer that failed anyway',
  'get/sources/npm.ts': 'for a schema to read',
  'run/audit/activity.ts': 'thousands of lines of our own log, each checked field by field',
  'run/audit/record.ts': 'the same, before their hashes are checked',
  'run/sandbox/wasm/inside/component-runner.ts': 'what we have sent into the sandbox ourselves',
  'run/sandbox/wasm/inside/inside.ts': 'the same',
  'ui/api.ts': 'what our own server sends',
  'ui/live.ts': 'the same',
  'ui/form/drafts.ts': 'any value of JSON',
  'ui/form/parameters.ts': 'any value of JSON, and what the page has kept itself',
  'ui/run/workbench.tsx': 'what the page has kept itself',
};

/** The files in which parsed JSON is called something that nobody has checked. */
export function castsIn(files: readonly SourceFile[]): string[] {
  return files.filter(({ text }) => /\bJSON\.parse\([^;]*?\)\)? as /.test(text)).map(({ path }) => path);
}
