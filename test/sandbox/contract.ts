import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Limits, Mount } from '../../src/run/policy/types.ts';
import type { Outcome, RunSpec, SandboxRuntime, Stream, Task, Usage } from '../../src/run/sandbox/types.ts';
import { timeoutMs } from '../support/timeout.ts';

/** What the suite asks of a program. Every runtime has its own way of writing one. */
export type Behaviour =
  /** Writes the text, then ends with the code. */
  | { readonly does: 'print'; readonly stream: Stream; readonly text: string; readonly code: number }
  /** Copies standard input to standard output. */
  | { readonly does: 'copy' }
  /** Writes each of its arguments, with `[` before it and `]` and a new line behind it. */
  | { readonly does: 'arguments'; readonly args: readonly string[] }
  /** Writes its environment, a line for each variable. */
  | { readonly does: 'environment' }
  /** Writes the file to standard output, or ends with a code other than 0. */
  | { readonly does: 'read'; readonly path: string }
  /** Writes the text to the file, or ends with a code other than 0. */
  | { readonly does: 'write'; readonly path: string; readonly text: string }
  /** Writes so many bytes to a file, or ends with a code other than 0. */
  | { readonly does: 'fill'; readonly path: string; readonly bytes: number }
  /** Never ends, whatever it is asked. */
  | { readonly does: 'loop' }
  /** Writes `x` without end. */
  | { readonly does: 'flood'; readonly stream: Stream }
  /** Takes memory and uses it, up to so many bytes; then writes `took it all`. */
  | { readonly does: 'take'; readonly bytes: number }
  /** Writes `held`, takes so many bytes of memory and uses them, and never ends. */
  | { readonly does: 'hold'; readonly bytes: number };

export interface Subject {
  readonly runtime: SandboxRuntime;
  /** The program as a task; it may write what it needs into the skill's folder. */
  program(behaviour: Behaviour, skillFolder: string): Task;
  /** Things this runtime has no way of doing. */
  readonly lacks?: readonly ('environment' | 'mounts' | 'scratch limit' | 'sight of processes')[];
  close?(): Promise<void>;
}

export interface Finished {
  readonly outcome: Outcome;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Readonly<Record<Stream, number>>;
}

export const roomy: Limits = {
  timeoutMs,
  memoryBytes: 256 * 1_048_576,
  processes: 64,
  outputBytes: 1_048_576,
  scratchBytes: 16 * 1_048_576,
  fileBytes: 100 * 1_048_576,
  cpuSeconds: 30,
};

/** A folder that everyone may read, for as long as the test lasts. */
export function openFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `contract-${name}-`)));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openFile(path: string, text: string, mode = 0o644): string {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

let runs = 0;

export function specFor(task: Task, skillFolder: string, more: Partial<RunSpec> = {}): RunSpec {
  return {
    id: `contract-${process.pid}-${runs++}`,
    task,
    env: { PATH: '/usr/bin:/bin' },
    stdin: null,
    skillFolder,
    folder: 'scratch',
    mounts: [],
    network: [],
    ...more,
    limits: { ...roomy, ...more.limits },
  };
}

export async function finish(
  runtime: SandboxRuntime,
  spec: RunSpec,
  signal = new AbortController().signal,
  onUsage?: (usage: Usage) => void,
): Promise<Finished> {
  const pieces: Record<Stream, Buffer[]> = { stdout: [], stderr: [] };
  const onOutput = (stream: Stream, bytes: Uint8Array) => void pieces[stream].push(Buffer.from(bytes));
  const outcome = await runtime.run(spec, { onOutput, signal, ...(onUsage && { onUsage }) });
  const [stdout, stderr] = [Buffer.concat(pieces.stdout), Buffer.concat(pieces.stderr)];
  return {
    outcome,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    bytes: { stdout: stdout.length, stderr: stderr.length },
  };
}

/** What every runtime keeps, whatever it is made of; skipped where it cannot be had. */
export function sandboxContract(name: string, make: () => Promise<Subject>, canBeHad = true): void {
  describe.runIf(canBeHad)(`the contract of ${name}`, () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(async () => {
      await subject.runtime.close();
      await subject.close?.();
    });

    const run = (
      behaviour: Behaviour,
      more: Partial<RunSpec> = {},
      signal?: AbortSignal,
      onUsage?: (usage: Usage) => void,
    ) => {
      const skillFolder = more.skillFolder ?? openFolder('skill');
      const spec = specFor(subject.program(behaviour, skillFolder), skillFolder, more);
      return finish(subject.runtime, spec, signal, onUsage);
    };
    const lacks = (what: NonNullable<Subject['lacks']>[number]) => subject.lacks?.includes(what) ?? false;

    it('is ready, and says what enforces what', async () => {
      const readiness = await subject.runtime.readiness();
      expect(readiness).toMatchObject({ ready: true });
      const named = readiness.ready ? readiness.enforcement.map(({ what }) => what) : [];
      expect(named).toEqual(expect.arrayContaining(['files', 'network', 'memory', 'time', 'output']));
    });

    it.each(['stdout', 'stderr'] as const)('hands on %s and the exit code', async (stream) => {
      const { outcome, ...streams } = await run({ does: 'print', stream, text: 'grüße\n', code: 3 });
      expect(outcome).toMatchObject({ reason: 'exited', exitCode: 3, message: null, denials: [] });
      expect(streams).toMatchObject({ stdout: '', stderr: '', [stream]: 'grüße\n' });
      expect(outcome.durationMs).toBeGreaterThan(0);
    });

    it('gives standard input as it is, however long', async () => {
      const stdin = Buffer.from(`${'0123456789abcdef\n'.repeat(20_000)}\0ÿ`);
      const { outcome, stdout } = await run({ does: 'copy' }, { stdin });
      expect(outcome).toMatchObject({ reason: 'exited', exitCode: 0 });
      expect(stdout).toBe(stdin.toString());
    });

    it('ends standard input at once where there is none', async () => {
      expect(await run({ does: 'copy' })).toMatchObject({ stdout: '', outcome: { reason: 'exited', exitCode: 0 } });
    });

    it('does not wait for input to be read', async () => {
      const stdin = Buffer.alloc(4_000_000, 'a');
      const { outcome } = await run({ does: 'print', stream: 'stdout', text: 'done', code: 0 }, { stdin });
      expect(outcome).toMatchObject({ reason: 'exited', exitCode: 0 });
    });

    it('hands on arguments one by one, and gives none of them a meaning', async () => {
      const args = [
        '$(id)',
        '; rm -rf /',
        '`id`',
        '--help',
        '-',
        '',
        'two words',
        'new\nline',
        '*',
        '~',
        "it's",
        '"',
        '\\',
      ];
      const { stdout } = await run({ does: 'arguments', args });
      expect(stdout).toBe(args.map((arg) => `[${arg}]\n`).join(''));
    });

    it('gives the environment it was told to give, and nothing of ours', async () => {
      if (lacks('environment')) return;
      process.env['CONTRACT_SECRET'] = 'planted-secret';
      onTestFinished(() => void delete process.env['CONTRACT_SECRET']);
      const env = { PATH: '/usr/bin:/bin', ODD: `a'b"c $(id) \\ é\nsecond`, LD_BIND_NOW: '1' };
      const { stdout } = await run({ does: 'environment' }, { env });
      expect(stdout).not.toContain('planted-secret');
      for (const [key, value] of Object.entries(env)) expect(stdout).toContain(`${key}=${value}\n`);
      const names = [...stdout.matchAll(/^([A-Z_][A-Z_0-9]*)=/gm)].map(([, found]) => found);
      expect(
        names.filter((found) => !['PWD', 'HOME', 'HOSTNAME', 'SHLVL', '_', 'OLDPWD'].includes(found ?? '')),
      ).toEqual(expect.arrayContaining(Object.keys(env)));
      expect(names.length).toBeLessThan(Object.keys(env).length + 5);
    });

    it('shows the skill, and does not let it be changed', async () => {
      const skillFolder = openFolder('skill');
      openFile(join(skillFolder, 'data.txt'), 'of the skill');
      expect(await run({ does: 'read', path: '/skill/data.txt' }, { skillFolder })).toMatchObject({
        stdout: 'of the skill',
      });
      const { outcome } = await run({ does: 'write', path: '/skill/data.txt', text: 'changed' }, { skillFolder });
      expect(outcome.exitCode).not.toBe(0);
      expect(readFileSync(join(skillFolder, 'data.txt'), 'utf8')).toBe('of the skill');
    });

    it('gives a scratch folder that nobody sees after or beside the run', async () => {
      const path = `/tmp/mine-${process.pid}`;
      expect((await run({ does: 'write', path, text: 'scratch' })).outcome).toMatchObject({
        reason: 'exited',
        exitCode: 0,
      });
      expect(existsSync(path)).toBe(false);
      expect((await run({ does: 'read', path })).outcome.exitCode).not.toBe(0);
    });

    it('bounds the scratch folder', async () => {
      if (lacks('scratch limit')) return;
      const limits = { ...roomy, scratchBytes: 1_048_576 };
      const { outcome } = await run({ does: 'fill', path: '/tmp/big', bytes: 4_000_000 }, { limits });
      expect(outcome.exitCode).not.toBe(0);
      if (lacks('sight of processes')) return;
      expect(outcome).toMatchObject({ reason: 'scratch_limit', limit: 'scratchBytes' });
      expect(outcome.message).toContain('limit of 1 MB');
    });

    it('shows what was granted, and for reading only what was granted for reading', async () => {
      if (lacks('mounts')) return;
      const folder = openFolder('grant');
      openFile(join(folder, 'data.txt'), 'granted', 0o666);
      chmodSync(folder, 0o777);
      const mount = (access: Mount['access']): Partial<RunSpec> => ({
        mounts: [{ source: folder, target: folder, access }],
      });
      const file = join(folder, 'data.txt');
      expect(await run({ does: 'read', path: file }, mount('read'))).toMatchObject({ stdout: 'granted' });
      expect((await run({ does: 'write', path: file, text: 'no' }, mount('read'))).outcome.exitCode).not.toBe(0);
      expect(readFileSync(file, 'utf8')).toBe('granted');
      expect((await run({ does: 'write', path: file, text: 'yes' }, mount('write'))).outcome.exitCode).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe('yes');
    });

    it('shows nothing else, by whatever way', async () => {
      const outside = openFolder('outside');
      const secret = openFile(join(outside, 'secret.txt'), 'host-secret');
      const granted = openFolder('grant');
      symlinkSync(secret, join(granted, 'file-link'));
      symlinkSync(outside, join(granted, 'folder-link'));
      mkdirSync(join(granted, 'deep'));
      const mounts: Mount[] = lacks('mounts') ? [] : [{ source: granted, target: granted, access: 'read' }];
      const ways = [
        secret,
        `/skill/../../../../../..${secret}`,
        `${granted}/deep/../..${secret.slice(tmpdir().length)}`,
        join(granted, 'file-link'),
        join(granted, 'folder-link', 'secret.txt'),
        `/proc/self/root${secret}`,
        `/proc/1/root${secret}`,
        '/etc/shadow',
        '/root/.bashrc',
        `/${'a/'.repeat(3000)}b`,
      ];
      for (const path of ways) {
        const { stdout, outcome } = await run({ does: 'read', path }, { mounts });
        expect(stdout, path).toBe('');
        expect(outcome.exitCode, path).not.toBe(0);
      }
    });

    it('ends at the deadline, and says so', async () => {
      const { outcome } = await run({ does: 'loop' }, { limits: { ...roomy, timeoutMs: 1500 } });
      expect(outcome).toMatchObject({ reason: 'timeout', exitCode: null });
      expect(outcome.message).toContain('1.5 s');
    });

    it('ends when it is cancelled', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 700);
      const { outcome } = await run({ does: 'loop' }, {}, controller.signal);
      expect(outcome).toMatchObject({ reason: 'cancelled', exitCode: null });
    });

    it('runs nothing where it was cancelled before', async () => {
      const print = { does: 'print', stream: 'stdout', text: '', code: 0 } as const;
      expect((await run(print, {}, AbortSignal.abort())).outcome.reason).toBe('cancelled');
    });

    it.each(['stdout', 'stderr'] as const)('cuts %s at its limit, to the byte', async (stream) => {
      const limits = { ...roomy, outputBytes: 100_001 };
      const { outcome, bytes } = await run({ does: 'flood', stream }, { limits });
      expect(outcome).toMatchObject({ reason: 'output_limit', exitCode: null });
      expect(bytes[stream]).toBe(100_001);
    });

    it('lets as much be written as the limit says', async () => {
      const text = 'y'.repeat(5000);
      const limits = { ...roomy, outputBytes: 5000 };
      const { outcome, stdout } = await run({ does: 'print', stream: 'stdout', text, code: 0 }, { limits });
      expect(outcome.reason).toBe('exited');
      expect(stdout).toBe(text);
    });

    it('bounds memory', async () => {
      const limits = { ...roomy, memoryBytes: 64 * 1_048_576 };
      // Where the tree is only watched, a program that is quick enough gets more than its limit, but never this much.
      const { outcome, stdout } = await run({ does: 'take', bytes: 1024 * 1_048_576 }, { limits });
      expect(stdout).not.toContain('took it all');
      const isCgroup = outcome.enforcement.some(({ what, by }) => what === 'memory' && by.includes('cgroup'));
      if (isCgroup) expect(outcome.reason).toBe('memory');
      else expect(outcome.exitCode).not.toBe(0);
    });

    it('tells what a run takes while it lasts', async () => {
      const told: Usage[] = [];
      const enough = new AbortController();
      const { outcome } = await run({ does: 'hold', bytes: 60 * 1_048_576 }, {}, enough.signal, (usage) => {
        told.push(usage);
        const isAll = (usage.memoryBytes ?? 0) > 40 * 1_048_576 && usage.outputBytes > 0 && usage.elapsedMs > 500;
        if (isAll) enough.abort();
      });
      expect(outcome.reason).toBe('cancelled');
      const times = told.map(({ elapsedMs }) => elapsedMs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const last = told.at(-1);
      expect(last?.outputBytes).toBe('held'.length);
      expect(last?.elapsedMs).toBeGreaterThan(500);
      expect(last?.memoryBytes).toBeGreaterThan(40 * 1_048_576);
      expect(last?.memoryBytes).toBeLessThan(roomy.memoryBytes);
      expect(last?.peakMemoryBytes).toBe(Math.max(...told.map(({ memoryBytes }) => memoryBytes ?? 0)));
    });

    it('tells at the end of a run what it has written', async () => {
      const told: Usage[] = [];
      const text = 'y'.repeat(5000);
      await run({ does: 'print', stream: 'stderr', text, code: 0 }, {}, undefined, (usage) => void told.push(usage));
      expect(told.at(-1)).toMatchObject({ outputBytes: 5000 });
    });

    it('tells the runs of the same moment apart', async () => {
      const skillFolder = openFolder('skill');
      const texts = Array.from({ length: 8 }, (_, index) => `run ${index} `.repeat(200));
      const all = await Promise.all(
        texts.map((text) => run({ does: 'copy' }, { skillFolder, stdin: Buffer.from(text) })),
      );
      expect(all.map(({ stdout }) => stdout)).toEqual(texts);
    });
  });
}
