import { defineConfig } from 'vitest/config';
import { programPath } from './scripts/program-folders.mjs';
import { timeoutMs } from './test/support/timeout.ts';

/** Suites by what they need: unit tests need nothing, the others the program, which is built before the first of them. */
const suites = {
  unit: { include: ['src/**/*.test.ts'] },
  program: { include: ['test/**/*.test.ts'], globalSetup: ['test/support/build.ts'] },
};

export default defineConfig({
  test: {
    projects: Object.entries(suites).map(([name, suite]) => ({
      test: {
        name,
        // Files that follow each other in a process load its modules once; no test changes what they share.
        isolate: false,
        setupFiles: ['test/support/properties.ts'],
        env: { PATH: programPath },
        testTimeout: 2 * timeoutMs,
        hookTimeout: 2 * timeoutMs,
        expect: { poll: { timeout: timeoutMs, interval: 20 } },
        ...suite,
      },
    })),
    // Most tests wait for a program they have started: four at a time leave a third of two processors idle.
    maxWorkers: 6,
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest-report.json' },
  },
});
