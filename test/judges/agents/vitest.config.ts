import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { Table } from '../table.ts';

// biome-ignore lint/style/noDefaultExport: this is how it is read
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.judge.ts'],
    globalSetup: ['../../support/build.ts', '../install.ts', './install.ts'],
    setupFiles: ['../count.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ['default', new Table()],
  },
});
