import { defineConfig } from 'rolldown';
import { notices } from './scripts/notices.mjs';

// Everything is bundled, so that an install fetches one package and a start resolves no tree of modules.
/** @satisfies {import('rolldown').RolldownOptions} */
const shared = {
  platform: 'node',
  treeshake: { moduleSideEffects: false },
  plugins: [notices()],
};

/** What `list` runs when there is nothing to be found, and nearly every command runs first. */
const start = [
  'src/kernel/(?!replace)',
  'src/config/',
  'src/discovery/(scan|roots|agents|plugin-places)\\.ts',
  'src/registry/(registry|snapshot|settle|filters)\\.ts',
  'src/engine/(engine|operation)\\.ts',
  'src/engine/operations/list\\.ts',
  'src/skill/name\\.ts',
  'src/cli/(main|args|command|commands|exit|options|progress|report|terminal|wrap)\\.ts',
  'src/cli/commands/list\\.ts',
];
const inStart = new RegExp(start.join('|'));

const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } };

export default defineConfig([
  {
    ...shared,
    // The program is CommonJS: on Node 20 the loader for ES modules alone costs a tenth of a bare start.
    input: { bin: 'src/bin.ts' },
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
          { name: 'start', test: inStart, priority: 3 },
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
