import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isThere } from '../../../core/disk/files.ts';
import {
  engineBytes,
  engineFiles,
  librariesIn,
  loaderOf,
  nameToLoader,
  nodeFlags,
  nodeInside,
  processLimits,
  scriptMegabytes,
} from './engine-files.ts';

describe('the files that the engine needs', () => {
  it('are the program, its libraries and its loader, for reading', () => {
    const files = engineFiles();
    expect(files).toContainEqual({ source: process.execPath, target: nodeInside, access: 'read' });
    expect(files.every(({ source, access }) => isThere(source) && access === 'read')).toBe(true);
    expect(files.some(({ target }) => /^\/engine\/lib\/lib(?:c|musl).*\.so/.test(target))).toBe(true);
    expect(files.every(({ target }) => target.startsWith('/engine/') || target === loaderOf(process.execPath))).toBe(
      true,
    );
  });

  it('are read from the list of what a process has in memory', () => {
    const maps = [
      '55d0-55d1 r--p 00000000 08:01 131 /usr/bin/node',
      '7f00-7f01 r-xp 00000000 08:01 132                     /usr/lib/libm.so.6',
      '7f01-7f02 r--p 00001000 08:01 132                     /usr/lib/libm.so.6',
      '7f02-7f03 r--p 00000000 08:01 133                     /opt/with blank/libstdc++.so.6.0.30',
      '7f03-7f04 r--p 00000000 08:01 134                     /home/u/addon.node',
      '7f04-7f05 r--p 00000000 08:01 135                     /usr/lib/libold.so.1 (deleted)',
      '7f05-7f06 rw-p 00000000 00:00 0                       [heap]',
      '',
    ];
    expect(librariesIn(maps.join('\n'))).toEqual(['/usr/lib/libm.so.6', '/opt/with blank/libstdc++.so.6.0.30']);
  });

  it.each([
    ['libstdc++.so.6.0.30', 'libstdc++.so.6'],
    ['libicudata.so.72.1', 'libicudata.so.72'],
    ['libc.so.6', 'libc.so.6'],
    ['libnode.so', 'libnode.so'],
  ])('%s is asked for as %s', (name, asked) => {
    expect(nameToLoader(name)).toBe(asked);
  });
});

describe('the loader of a program', () => {
  it('is there, for the one that runs', () => {
    expect(loaderOf(process.execPath)).toMatch(/^\/.*\/ld-/);
  });

  it('is null for a file that is not a program', () => {
    const folder = mkdtempSync(join(tmpdir(), 'elf-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries({ script: '#!/bin/sh\n', empty: '', cut: '\x7fELF\x02\x01' })) {
      writeFileSync(join(folder, name), text, 'latin1');
      expect(loaderOf(join(folder, name))).toBeNull();
    }
  });
});

const limits = {
  timeoutMs: 1,
  memoryBytes: 1,
  processes: 1,
  outputBytes: 1,
  scratchBytes: 1,
  fileBytes: 1,
  cpuSeconds: 1,
};

it.each([
  [256 * 1024 * 1024, 4096],
  [65_536 * 3 + 1, 3],
  [1, 1],
  [2 ** 40, 65_536],
])('%i bytes of memory are %i pages', (memoryBytes, pages) => {
  expect(nodeFlags({ memoryBytes })).toContain(`--wasm-max-mem-pages=${pages}`);
});

it('the process of a guest gets more memory than the guest, and no other limit changes', () => {
  expect(processLimits(limits)).toEqual({ ...limits, memoryBytes: 1 + engineBytes });
  expect(processLimits(limits, scriptMegabytes).memoryBytes).toBeGreaterThan(engineBytes + 400 * 1024 * 1024);
});

it('the process of a guest may not generate code from strings', () => {
  expect(nodeFlags(limits)).toContain('--disallow-code-generation-from-strings');
});
