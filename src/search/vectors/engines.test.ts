import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'engines-'));
const file = join(folder, 'scan.cjs');

beforeAll(async () => {
  const input = fileURLToPath(new URL('scan.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node' });
  await bundle.write({ file, format: 'cjs' });
  await bundle.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a scanner of 1,024 rows, more than a page, in an engine started with these flags. */
function scanIn(flags: readonly string[]): unknown {
  const program = `
    const { createScanner } = require(${JSON.stringify(file)});
    const scanner = createScanner(new Int8Array(1024 * 128).fill(-128), 128);
    const answer = scanner.scan(new Int8Array(128).fill(-128));
    process.stdout.write(JSON.stringify([scanner.kind, answer.length, Math.min(...answer), Math.max(...answer)]));`;
  const output = execFileSync(process.execPath, [...flags, '-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output);
}

const all = 128 * 16_384;
const poorer = [
  { engine: 'without WebAssembly', flags: ['--jitless'] },
  { engine: 'that has no memory to give', flags: ['--wasm-max-mem-pages=1'] },
  // Only this family of processors can be had without the instructions.
  ...(process.arch === 'x64' ? [{ engine: 'on an old processor', flags: ['--no-enable-sse4-1'] }] : []),
];

describe('which scanner is taken', () => {
  it('the fast one in an ordinary engine', () => {
    expect(scanIn([])).toEqual(['simd', 1024, all, all]);
  });

  it.each(poorer)('the plain one in an engine $engine', ({ flags }) => {
    expect(scanIn(flags)).toEqual(['plain', 1024, all, all]);
  });
});
