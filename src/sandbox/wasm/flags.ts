import type { Limits } from '../../policy/types.ts';

const pageBytes = 65_536;
/** More pages than this cannot be addressed. */
const mostPages = 65_536;

/** For the engine's own objects; a guest can only make tables there. */
const heapMegabytes = 64;
/** Generated JavaScript keeps what passes through it there, and transpiling takes a lot. */
export const scriptMegabytes = 512;

/** What the engine needs beside the memory of a guest, at most. */
export const engineBytes = 256 * 1024 * 1024;

/** How Node is told to keep a guest within its limits. */
export function nodeFlags(limits: Pick<Limits, 'memoryBytes'>, megabytes = heapMegabytes): readonly string[] {
  const pages = Math.min(mostPages, Math.max(1, Math.floor(limits.memoryBytes / pageBytes)));
  return [
    '--no-warnings',
    '--no-addons',
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${megabytes}`,
    `--wasm-max-mem-pages=${pages}`,
  ];
}

/** What the process as a whole may have: beyond it is only what an engine that went astray would take. */
export function processLimits(limits: Limits, megabytes = heapMegabytes): Limits {
  const heapBytes = Math.max(0, megabytes - heapMegabytes) * 1024 * 1024;
  return { ...limits, memoryBytes: limits.memoryBytes + heapBytes + engineBytes };
}
