import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patienceMs } from '../support/patience.ts';
import { Table } from './table.ts';

// biome-ignore lint/style/noDefaultExport: this is how it is read
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.judge.ts'],
    globalSetup: ['../support/build.ts', './install.ts'],
    setupFiles: ['./count.ts'],
    testTimeout: 2 * patienceMs,
    hookTimeout: 2 * patienceMs,
    expect: { poll: { timeout: patienceMs, interval: 20 } },
    maxConcurrency: 4,
    reporters: ['default', new Table()],
  },
});
