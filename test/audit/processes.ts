import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Log } from './log.ts';

export interface Writer {
  readonly child: ChildProcess;
  /** When it has first printed something. */
  readonly begun: Promise<unknown>;
  /** All that it printed, when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>;
}

/** Makes a program of the writer for the tests of a file, and starts it as often as they like. */
export function useWriters(): (log: Log, args: readonly string[], before?: readonly string[]) => Writer {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'repertoire-writer-'));
    const input = fileURLToPath(new URL('./writer.ts', import.meta.url));
    await build({
      input,
      platform: 'node',
      output: { file: join(folder, 'writer.cjs'), format: 'cjs' },
      logLevel: 'silent',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return (log, args, before = []) => {
    const [program = '', ...rest] = [...before, process.execPath, join(folder, 'writer.cjs'), ...args];
    const child = spawn(program, rest, { env: log.world.environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const begun = new Promise((resolve) => child.stdout?.once('data', resolve));
    let printed = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
    });
    const ended = new Promise<{ code: number | null; printed: string }>((resolve) => {
      child.on('close', (code) => resolve({ code, printed }));
    });
    return { child, begun, ended };
  };
}
