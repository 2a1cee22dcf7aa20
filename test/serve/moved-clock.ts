import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { StdioServer } from '../support/mcp.ts';

/** The environment of a server whose clock a test can move. */
export const movable = {
  env: { NODE_OPTIONS: `--require=${fileURLToPath(new URL('moved-clock.cjs', import.meta.url))}` },
};

/** Lets six minutes pass for it. */
export async function letTimePass(server: StdioServer): Promise<void> {
  const times = (): number => server.stderr.match(/^the clock was moved$/gm)?.length ?? 0;
  const before = times();
  server.child.kill('SIGUSR2');
  await expect.poll(times).toBe(before + 1);
}
