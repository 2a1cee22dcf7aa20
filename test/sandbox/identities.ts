import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { Outcome, Readiness, SandboxRuntime, Stream, Usage, Watcher } from '../../src/run/sandbox/types.ts';
import { isRoot } from '../support/root.ts';

/** Whoever runs the tests; and a user without privileges, where the tests are root's. */
export const identities = isRoot ? (['yourself', 'nobody'] as const) : (['yourself'] as const);
export type Identity = (typeof identities)[number];

const nobody = 54_321;

export interface Driver {
  readonly runtime: SandboxRuntime;
  readonly child: ChildProcess;
  close(): Promise<void>;
}

export interface DriverOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Open files that are left open for it, by their number. */
  readonly left?: Readonly<Record<number, number>>;
  /** The program beside this file; `driver.ts` if not told otherwise. */
  readonly program?: string;
  /** Puts what the program needs into its folder. */
  prepare?(folder: string): void;
}

interface Answer {
  readonly number: number;
  readonly result?: unknown;
  readonly stream?: Stream;
  readonly bytes?: string;
  readonly usage?: Usage;
}

const codes = new Map<string, Promise<string>>();

async function bundled(program: string): Promise<string> {
  const input = fileURLToPath(new URL(program, import.meta.url));
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  return (await bundle.generate({ format: 'esm', codeSplitting: false })).output[0].code;
}

/** The runtime in another process, as another user. */
export async function runtimeOf(identity: Identity, more: DriverOptions = {}): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), 'driver-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'driver.mjs');
  const { program = 'driver.ts' } = more;
  const code = codes.get(program) ?? bundled(program);
  codes.set(program, code);
  writeFileSync(file, await code);
  chmodSync(file, 0o644);
  more.prepare?.(folder);
  const user = identity === 'nobody' ? { uid: nobody, gid: nobody } : {};
  const stdio: StdioOptions & unknown[] = ['pipe', 'pipe', 'inherit'];
  for (const [place, descriptor] of Object.entries(more.left ?? {})) {
    while (stdio.length < Number(place)) stdio.push('ignore');
    stdio[Number(place)] = descriptor;
  }
  const child = spawn(process.execPath, [file], {
    ...user,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: folder, ...more.env },
    stdio,
  });
  const waiting = new Map<number, { settle(result: unknown): void; watcher: Watcher | null }>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const { number, result, stream, bytes, usage } = JSON.parse(line) as Answer;
    if (stream !== undefined) waiting.get(number)?.watcher?.onOutput(stream, Buffer.from(bytes ?? '', 'base64'));
    else if (usage !== undefined) waiting.get(number)?.watcher?.onUsage?.(usage);
    else waiting.get(number)?.settle(result);
  });
  let count = 0;
  const tell = (order: object) => void child.stdin?.write(`${JSON.stringify(order)}\n`);
  const ask = <T>(order: object, watcher: Watcher | null = null) => {
    const number = count++;
    tell({ ...order, number });
    const abort = () => tell({ order: 'abort', number });
    watcher?.signal.addEventListener('abort', abort);
    if (watcher?.signal.aborted) abort();
    return new Promise<T>((settle) => waiting.set(number, { settle: (result) => settle(result as T), watcher }));
  };
  return {
    child,
    runtime: {
      name: 'native',
      seesSkillAt: () => '/skill',
      readiness: () => ask<Readiness>({ order: 'readiness' }),
      run: (spec, watcher) => {
        const stdin = spec.stdin === null ? null : Buffer.from(spec.stdin).toString('base64');
        const measured = watcher.onUsage !== undefined;
        return ask<Outcome>({ order: 'run', spec: { ...spec, stdin }, measured }, watcher);
      },
      sweep: () => ask<void>({ order: 'sweep' }),
      close: () => Promise.resolve(),
    },
    close: async () => {
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((settle) => child.once('exit', settle));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
