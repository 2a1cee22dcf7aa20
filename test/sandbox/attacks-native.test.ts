import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunSpec, Task } from '../../src/run/sandbox/types.ts';
import { finish, openFolder, roomy, specFor } from './contract.ts';
import { type Driver, identities, runtimeOf } from './identities.ts';

const mebibyte = 1_048_576;

function perl(script: string, ...args: readonly string[]): Task {
  return { kind: 'command', program: '/usr/bin/perl', args: ['-e', script, ...args] };
}

/** The numbers of system calls, which the language knows no names for. */
const calls = {
  x64: { trace: 101, readMemory: 310, openProcess: 434 },
  arm64: { trace: 117, readMemory: 270, openProcess: 434 },
} as const;

/** A socket of the machine that everybody may use, as an engine's is for those who are in its group. */
async function openSocketIn(parent: string): Promise<string> {
  const folder = mkdtempSync(join(parent, 'engine-'));
  chmodSync(folder, 0o755);
  const path = join(folder, 'docker.sock');
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((settle) => server.listen({ path, writableAll: true, readableAll: true }, settle));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return path;
}

describe.each(identities)('further attacks on native, as %s', (identity) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await runtimeOf(identity);
  });
  afterAll(() => driver.close());
  const run = (task: Task, more: Partial<RunSpec> = {}) =>
    finish(driver.runtime, specFor(task, more.skillFolder ?? openFolder('skill'), more));

  it('reaches no process outside, to trace it, to read its memory or to signal it', async () => {
    const stop = new AbortController();
    const spec = specFor(perl('$| = 1; print "up"; sleep 60'), openFolder('skill'));
    const { settled, started } = begin(driver, spec, stop.signal);
    await started;
    const { pid = 0 } = driver.child;
    // Of whoever started it, of another run, and of these tests; small numbers mean others inside.
    const pids = [process.pid, process.ppid, pid, ...descendantsOf(pid)].filter((one) => one > 50);
    expect(pids.length).toBeGreaterThan(2);
    const script = `
      my ($trace, $read, $open, @pids) = map { $_ + 0 } @ARGV; my $memory = " " x 64;
      my $child = fork() // die; if ($child == 0) { sleep 5; exit }
      for my $pid ($child, @pids) {
        my $local = pack("PQ", $memory, 64); my $remote = pack("QQ", 0x400000, 64);
        print "opened $pid\n" if syscall($open, $pid, 0) >= 0;
        print "read $pid\n" if syscall($read, $pid, $local, 1, $remote, 1, 0) > 0;
        print "saw $pid\n" if -e "/proc/$pid/mem";
        print "signalled $pid\n" if kill 0, $pid;
        print "traced $pid\n" if syscall($trace, 16, $pid, 0, 0) == 0;
        print "seized $pid\n" if syscall($trace, 0x4206, $pid, 0, 0) == 0;
      }
      kill 9, $child; print "child $child\n";`;
    const words = [...Object.values(calls[process.arch as keyof typeof calls] ?? {}), ...pids].map(String);
    const { stdout } = await run(perl(script, ...words));
    stop.abort();
    await settled;
    const [, child] = /child (\d+)/.exec(stdout) ?? [];
    // What it may do to its own it does.
    expect(stdout).toContain(`signalled ${child}\n`);
    expect(stdout.split('\n').filter((line) => line !== '' && !line.endsWith(` ${child}`))).toEqual([]);
  });

  it('does not see the sockets of engines, wherever they are', async () => {
    const sockets = await Promise.all([tmpdir(), '/var/tmp'].map(openSocketIn));
    const script = `
      use Socket;
      for (@ARGV) {
        print "SEES $_\\n" if -e $_;
        socket(my $s, PF_UNIX, SOCK_STREAM, 0);
        print "REACHED $_\\n" if connect($s, sockaddr_un($_));
      }
      print "done\\n";`;
    const links = sockets.flatMap((path) => [path, `/proc/self/root${path}`, `/proc/1/cwd/../..${path}`]);
    const { stdout } = await run(perl(script, ...links, '/run/docker.sock', '/run/podman/podman.sock'));
    expect(stdout).toBe('done\n');
  });

  it('hands on no argument that cannot be one', async () => {
    const { outcome, stdout } = await run({ kind: 'command', program: '/bin/echo', args: ['a\0b'] });
    expect(outcome).toMatchObject({ reason: 'engine_error', exitCode: null });
    expect(stdout).toBe('');
  });

  it('cannot fill its scratch folder with many small files [C4-LIMIT-07]', async () => {
    const limits = { ...roomy, scratchBytes: mebibyte };
    const script = `
      my $made = 0;
      for (1..20000) { open(my $f, ">", "/tmp/$_") or last; print $f "x"; close($f) or last; $made++ }
      print "$made $!";`;
    const { outcome, stdout } = await run(perl(script), { limits });
    expect(outcome).toMatchObject({ reason: 'scratch_limit', exitCode: 0 });
    const [, made, why] = /^(\d+) (.*)$/.exec(stdout) ?? [];
    expect(Number(made)).toBeLessThanOrEqual(mebibyte / 4096);
    expect(why).toBe('No space left on device');
  });

  it('nor the memory of the machine with many that are empty [C4-LIMIT-04 C4-LIMIT-10]', async () => {
    const limits = { ...roomy, scratchBytes: mebibyte };
    for (const make of ['open(my $f, ">", "/tmp/$_")', 'mkdir "/tmp/$_"', 'open(my $f, ">", "/dev/shm/$_")']) {
      const script = `$| = 1; for (1..1000000) { ${make} or last; print "." if $_ % 1000 == 0 } print "all of them";`;
      const { outcome, stdout } = await run(perl(script), { limits });
      expect(outcome, make).toMatchObject({ reason: 'scratch_limit', exitCode: null });
      expect(stdout.length, make).toBeLessThan(500);
    }
  });
});

interface Begun {
  /** When it has written something. */
  readonly started: Promise<void>;
  readonly settled: Promise<unknown>;
}

function begin({ runtime }: Driver, spec: RunSpec, signal: AbortSignal): Begun {
  let settled: Promise<unknown> = Promise.resolve();
  const started = new Promise<void>((settle) => {
    settled = runtime.run(spec, { onOutput: () => settle(), signal });
  });
  return { started, settled };
}

function descendantsOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
