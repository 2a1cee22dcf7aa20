import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { timeoutMs } from '../../support/timeout.ts';
import { Table } from '../table.ts';

// biome-ignore lint/style/noDefaultExport: this is how it is read
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.judge.ts'],
    globalSetup: ['../../support/build.ts', '../install.ts', './install.ts'],
    setupFiles: ['../count.ts'],
    // A conversation has a dozen turns. The slowest agent takes a minute for them with eight busy processes beside it.
    testTimeout: 4 * timeoutMs,
    hookTimeout: 2 * timeoutMs,
    maxWorkers: 2,
    reporters: ['default', new Table()],
  },
});
