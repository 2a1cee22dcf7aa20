import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { timeoutMs } from '../support/timeout.ts';
import { Table } from './table.ts';

// biome-ignore lint/style/noDefaultExport: this is how it is read
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.judge.ts'],
    globalSetup: ['../support/build.ts', './install.ts'],
    setupFiles: ['./count.ts'],
    testTimeout: 2 * timeoutMs,
    hookTimeout: 2 * timeoutMs,
    expect: { poll: { timeout: timeoutMs, interval: 20 } },
    maxConcurrency: 4,
    reporters: ['default', new Table()],
  },
});
