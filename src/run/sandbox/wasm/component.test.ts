import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keep, unpack } from './component.ts';

const packed = (files: readonly (readonly [string, string])[], lengths: readonly number[] = []) => {
  const list = files.map(([name, text], index) => ({ name, length: lengths[index] ?? Buffer.byteLength(text) }));
  return Buffer.from(
    `${JSON.stringify({ files: list, imports: ['wasi:cli/x'] })}\n${files.map(([, text]) => text).join('')}`,
  );
};

describe('a transpiled component', () => {
  it('is unpacked as it was packed', () => {
    const { files, said } = unpack(
      packed([
        ['component.js', 'a\nb'],
        ['component.core.wasm', 'ü'],
      ]),
    );
    expect(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')])).toEqual([
      ['component.js', 'a\nb'],
      ['component.core.wasm', 'ü'],
    ]);
    expect(said).toEqual({ imports: ['wasi:cli/x'] });
  });

  it.each(['../x.js', '/etc/x.js', 'a/b.js', '.hidden.js', 'x.node', 'package.json', 'world.json', 'x.js\0', ''])(
    'is not taken with a file named %j',
    (name) => {
      expect(() =>
        unpack(
          packed([
            ['component.js', ''],
            [name, 'x'],
          ]),
        ),
      ).toThrow('was turned into');
    },
  );

  it('is not taken where the lengths are wrong, or the program is missing', () => {
    for (const length of [100, -1, 0.5, Number.MAX_SAFE_INTEGER]) {
      expect(() => unpack(packed([['component.js', 'abc']], [length]))).toThrow('was turned into');
    }
    expect(() => unpack(packed([['other.js', '']]))).toThrow('was turned into');
  });

  it.each(['null', '{}', '{"files":{}}', '{"files":[null]}', '{"files":[{"name":5,"length":0}]}'])(
    'is not taken where it begins with %s',
    (head) => {
      expect(() => unpack(Buffer.from(`${head}\n`))).toThrow('was turned into');
    },
  );

  it('is read without harm, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => unpack(Buffer.from(bytes))).toThrow('was turned into');
      }),
      { numRuns: 100 },
    );
  });

  it('is kept whole, once, and readable for the user a run is', () => {
    const root = mkdtempSync(join(tmpdir(), 'generated-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const folder = join(root, 'components', 'one');
    const generated = unpack(packed([['component.js', 'first']]));
    keep(generated, folder);
    keep(unpack(packed([['component.js', 'second']])), folder);
    expect(readFileSync(join(folder, 'component.js'), 'utf8')).toBe('first');
    expect(readdirSync(join(root, 'components'))).toEqual(['one']);
    expect(readdirSync(folder).sort()).toEqual(['bytes', 'component.js', 'package.json', 'world.json']);
  });

  it('replaces nothing where it cannot be kept', async () => {
    const root = mkdtempSync(join(tmpdir(), 'generated-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const old = join(root, '0'.repeat(40));
    mkdirSync(old);
    utimesSync(old, 1, 1);
    const { said } = unpack(packed([['component.js', '']]));
    expect(() => keep({ files: { 'no-such-folder/component.js': Buffer.of() }, said }, join(root, 'one'))).toThrow(
      'ENOENT',
    );
    expect(readdirSync(root)).toEqual(['0'.repeat(40)]);
    keep(unpack(packed([['component.js', '']])), join(root, 'one'));
    await expect.poll(() => readdirSync(root)).toEqual(['one']);
  });
});
