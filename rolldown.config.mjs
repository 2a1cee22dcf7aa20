import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { notices } from './scripts/notices.mjs';

const shims = fileURLToPath(new URL('src/mcp/shims.ts', import.meta.url));

// Everything is bundled, so that an install fetches one package and a start resolves no tree of modules.
/** @satisfies {import('rolldown').RolldownOptions} */
const shared = {
  platform: 'node',
  // The protocol library's own validator of JSON Schema is half of its size, and we ask nothing of clients that it
  // would have to check.
  resolve: { alias: { '@modelcontextprotocol/server/_shims': shims } },
  treeshake: { moduleSideEffects: false },
  plugins: [notices()],
};

/** What `list` runs when there is nothing to be found, and nearly every command runs first. */
const start = [
  'src/kernel/(?!replace|package-file|make-folder)',
  'src/config/',
  'src/discovery/(scan|roots|agents|plugin-places)\\.ts',
  'src/registry/(registry|snapshot|settle|filters)\\.ts',
  'src/engine/(engine|operation)\\.ts',
  'src/engine/operations/list\\.ts',
  'src/skill/(name|kinds)\\.ts',
  'src/cli/(main|args|command|commands|exit|options|progress|report|terminal|wrap)\\.ts',
  'src/cli/commands/list\\.ts',
];
const inStart = new RegExp(start.join('|'));

/** What a server over stdio runs until its client has the tools: everything but the protocol library. */
const opening = [
  'src/mcp/(serve|service|stop|surface|capabilities|messages|era)\\.ts',
  'src/mcp/stdio/(?!protocol)',
  'src/mcp/tools/(definitions|list|names)\\.ts',
  'src/engine/recall\\.ts',
  'src/discovery/places\\.ts',
  'src/cli/commands/serve\\.ts',
];
const inOpening = new RegExp(opening.join('|'));

// Short names too: a start reads every character of what it loads.
const minify = { compress: true, mangle: true, codegen: { removeWhitespace: true } };

export default defineConfig([
  {
    ...shared,
    // The program is CommonJS: on Node 20 the loader for ES modules alone costs a tenth of a bare start.
    input: { bin: 'src/bin.ts', indexer: 'src/engine/searching/worker.ts' },
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
          { name: 'start', test: inStart, priority: 4 },
          { name: 'opening', test: inOpening, priority: 3 },
          { name: 'search', test: /src\/discovery\//, priority: 2 },
        ],
      },
    },
  },
  {
    ...shared,
    input: { index: 'src/index.ts' },
    output: { dir: 'dist/lib', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', cleanDir: true },
  },
]);
