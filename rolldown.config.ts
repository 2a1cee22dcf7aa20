import { defineConfig, type RolldownOptions } from 'rolldown';
import { notices } from './scripts/notices.ts';

// Everything is bundled, so that an install fetches one package and a start resolves no tree of modules.
const shared: RolldownOptions = {
  platform: 'node',
  treeshake: { moduleSideEffects: false },
  plugins: [notices()],
};

const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } } as const;

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
      // What every command needs is one file; each command, YAML and TOML are files of their own.
      codeSplitting: {
        groups: [{ name: 'core', test: /src\/(kernel|config|discovery|registry|engine\/engine|skill\/(limits|name))/ }],
      },
    },
  },
  {
    ...shared,
    input: { index: 'src/index.ts' },
    output: { dir: 'dist/lib', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', cleanDir: true },
  },
]);
