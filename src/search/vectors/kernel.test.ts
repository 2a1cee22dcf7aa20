import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/assemble.mjs', import.meta.url));

it.each(['src/search/vectors/kernel.ts', 'src/run/sandbox/wasm/probe.ts'])(
  '%s is the source that can be read',
  (path) => {
    const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
    try {
      execFileSync(process.execPath, [script, folder]);
      const made = readFileSync(join(folder, basename(path)), 'utf8');
      expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(made);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
