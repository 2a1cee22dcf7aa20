import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/assemble-kernel.mjs', import.meta.url));

it('the bytes that are run are the source that can be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  try {
    const again = join(folder, 'kernel.ts');
    execFileSync(process.execPath, [script, again]);
    expect(readFileSync(new URL('kernel.ts', import.meta.url), 'utf8')).toBe(readFileSync(again, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
