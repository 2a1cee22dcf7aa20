import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../bench/chaos.mjs', import.meta.url));

interface Figures {
  readonly killed: Readonly<Record<string, number>>;
  readonly kinds: readonly { readonly kind: string; readonly answers: number }[];
  readonly failures: readonly string[];
}

test('nodes, servers and workers are killed under load, and nothing is lost, run twice or left unanswered', async () => {
  const run = promisify(execFile)(process.execPath, [script, '--seconds', '25', '--seed', '7', '--json']);
  const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stderr}${error.stdout}`);
  });
  const { failures, killed, kinds } = JSON.parse(stdout) as Figures;
  expect(failures).toEqual([]);
  expect(killed).toEqual({ node: expect.any(Number), server: expect.any(Number), worker: expect.any(Number) });
  for (const { answers } of kinds) expect(answers).toBeGreaterThan(0);
});
