import { expect, it } from 'vitest';
import { engineBytes, nodeFlags, processLimits, scriptMegabytes } from './flags.ts';

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

it('lets the process have more than its guest, and changes no other limit', () => {
  expect(processLimits(limits)).toEqual({ ...limits, memoryBytes: 1 + engineBytes });
  expect(processLimits(limits, scriptMegabytes).memoryBytes).toBeGreaterThan(engineBytes + 400 * 1024 * 1024);
});

it('lets no text become a program', () => {
  expect(nodeFlags(limits)).toContain('--disallow-code-generation-from-strings');
});
