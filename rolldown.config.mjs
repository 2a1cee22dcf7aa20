import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { agentFolders } from './scripts/agent-folders.mjs';
import { besideComponents, ioWorker } from './scripts/beside-components.mjs';
import { consolePage } from './scripts/console-page.mjs';
import { notices } from './scripts/notices.mjs';

const shims = fileURLToPath(new URL('src/faces/mcp/protocol/shims.ts', import.meta.url));
const absent = fileURLToPath(new URL('src/run/sandbox/docker/absent.ts', import.meta.url));

/** What the library for container engines needs for SSH, TLS and building images: most of its size, and never used. */
const unused = [
  'ssh2',
  'split-ca',
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  'protobufjs',
  'tar-fs',
  '@balena/dockerignore',
];

// Everything is bundled, so that an install fetches one package and a start resolves no tree of modules.
/** @satisfies {import('rolldown').RolldownOptions} */
const shared = {
  platform: 'node',
  // The protocol library's own validator of JSON Schema is half of its size, and we ask nothing of clients or servers
  // that it would have to check.
  resolve: {
    alias: {
      '@modelcontextprotocol/server/_shims': shims,
      '@modelcontextprotocol/client/_shims': shims,
      ...Object.fromEntries(unused.map((name) => [name, absent])),
      // A copy of what Node has.
      'readable-stream': 'node:stream',
    },
  },
  treeshake: { moduleSideEffects: false },
  plugins: [notices(), agentFolders()],
};

/** What `list` runs when there is nothing to be found, and nearly every command runs first. */
const start = [
  'src/core/(attempt|diagnostics|environment|errors|log|maps|progress|time-slice|version)\\.ts',
  'src/core/disk/(files|own-folders|paths|project)\\.ts',
  'src/core/formats/(depth|documents)\\.ts',
  'src/core/schema/(schema|fields|parsed)\\.ts',
  'src/core/text/(text|hidden|quantities)\\.ts',
  'src/core/config/(?!values|descriptions)',
  'src/agents/(folders|places|providers)\\.ts',
  'src/discovery/(scan|roots)\\.ts',
  'src/registry/(registry|snapshot|filters)\\.ts',
  'src/engine/(engine|operation)\\.ts',
  'src/engine/operations/skills/list\\.ts',
  'src/skill/(name|types)\\.ts',
  'src/faces/cli/(main|args|command|commands|options)\\.ts',
  'src/faces/cli/terminal/(progress|terminal|wrap)\\.ts',
  'src/faces/cli/commands/skills/list\\.ts',
];
const inStart = new RegExp(start.join('|'));

/** What describes values to others: the list of tools needs it, and so do commands that run none. */
const inSchema = /src\/(core\/schema\/(json-schema|schema-reader)|engine\/running\/shaping|run\/output\/types)/;

/** What a check of files needs as well as a search and a server: without it, such a check would load both. */
const inDisk = /src\/core\/(hash|disk\/(make-folder|signature))\.ts/;

/** What a server over stdio runs until its client has the tools: everything but the protocol library. */
const opening = [
  'src/faces/mcp/(serve|service|surface)\\.ts',
  'src/faces/mcp/protocol/messages\\.ts',
  'src/faces/mcp/stdio/(?!protocol)',
  'src/core/text/line-cutter\\.ts',
  'src/faces/mcp/tools/(definitions|list)\\.ts',
  'src/engine/freshness/startup-cache\\.ts',
  'src/discovery/places\\.ts',
  'src/faces/cli/commands/serving/serve\\.ts',
];
const inOpening = new RegExp(opening.join('|'));

// Short names too: a start reads every character of what it loads.
const minify = { compress: true, mangle: true, codegen: { removeWhitespace: true } };

/**
 * A program that runs inside a sandbox, where it is the only file of ours: nothing of it may lie in another.
 * @param {string} name
 * @param {string} file
 * @param {'cjs' | 'esm'} format
 * @returns {import('rolldown').RolldownOptions}
 */
const alone = (name, file, format) => ({
  ...shared,
  plugins: [notices(`${name}.NOTICES.txt`), besideComponents()],
  input: { [name]: file },
  output: {
    dir: 'dist/cli',
    format,
    entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].mjs',
    // A function that is not strict hands out the global object to whoever gets hold of a stack frame.
    banner: format === 'cjs' ? '"use strict";' : '',
    minify,
    codeSplitting: false,
  },
});

/**
 * A program and, beside it, the module that it instantiates.
 * @param {string} fileName
 * @param {string} module
 * @param {import('rolldown').RolldownOptions} options
 * @returns {import('rolldown').RolldownOptions}
 */
const withBinary = (fileName, module, options) => ({
  ...options,
  plugins: [
    options.plugins,
    {
      name: 'with-binary',
      buildStart() {
        const source = readFileSync(createRequire(import.meta.url).resolve(module));
        this.emitFile({ type: 'asset', fileName, source });
      },
    },
  ],
});

/**
 * The transpiler needs nothing of a system: what it brings for browsers will do, and starts no thread.
 * @param {import('rolldown').RolldownOptions} options
 * @returns {import('rolldown').RolldownOptions}
 */
const transpiler = (options) => ({
  ...options,
  platform: 'neutral',
  external: /^node:/,
  resolve: { conditionNames: ['import', 'default'] },
});

export default defineConfig([
  {
    ...shared,
    // The program is CommonJS: on Node 20 the loader for ES modules alone costs a tenth of a bare start.
    input: {
      bin: 'src/bin.ts',
      indexer: 'src/engine/searching/worker.ts',
      scanner: 'src/engine/scanning/worker.ts',
      pulse: 'src/cluster/workers/pulse-thread.ts',
    },
    output: {
      dir: 'dist/cli',
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'chunks/[name]-[hash].cjs',
      cleanDir: true,
      minify,
      // What a start needs is one file, and so is the search of folders that are there; the rest comes by command.
      codeSplitting: {
        groups: [
          { name: 'start', test: inStart, priority: 5 },
          { name: 'schema', test: inSchema, priority: 4 },
          { name: 'disk', test: inDisk, priority: 4 },
          { name: 'opening', test: inOpening, priority: 3 },
          { name: 'search', test: /src\/discovery\/(?!native)/, priority: 2 },
        ],
      },
    },
  },
  alone('wasm-runner', 'src/run/sandbox/wasm/inside/runner.ts', 'cjs'),
  alone('wasm-memory', 'src/run/sandbox/wasm/inside/memory-runner.ts', 'cjs'),
  // These load what was made of a component, which are ES modules.
  alone('wasm-component', 'src/run/sandbox/wasm/inside/component-runner.ts', 'esm'),
  alone('wasm-component-io', ioWorker, 'esm'),
  withBinary('jq.wasm', 'jq-wasm/jq.wasm', alone('jq', 'src/run/output/jq-worker.ts', 'esm')),
  transpiler(alone('wasm-transpile', 'src/run/sandbox/wasm/inside/transpile-runner.ts', 'esm')),
  {
    // The console, for browsers. Names carry digests, so that a browser may keep what it has for good.
    input: { console: 'src/ui/main.tsx', markdown: 'src/ui/markdown/worker.ts' },
    platform: 'browser',
    // The other one uses the page to read entities, which a worker has none of.
    resolve: { conditionNames: ['worker', 'import', 'default'] },
    plugins: [notices(), consolePage('src/ui')],
    output: {
      dir: 'dist/ui',
      format: 'esm',
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      cleanDir: true,
      minify: true,
    },
  },
  {
    ...shared,
    input: { index: 'src/index.ts' },
    output: { dir: 'dist/lib', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', cleanDir: true },
  },
]);
