import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { folderWith, limits, runIn, shell, specOf, useContainers } from '../support/container-runs.ts';
import { isRoot } from '../support/root.ts';

const mebibyte = 1024 * 1024;

describe.runIf(isRoot)('the limits of a container', () => {
  const place = useContainers();

  it('memory: a bomb is killed, and called one [C4-RUNTIME-04 S4-SANDBOX-02]', async () => {
    // All of it is held in a variable, so that none of it can be given back.
    const run = await shell(place.runtime, 'x=$(head -c 300000000 /dev/zero | tr "\\0" a); echo survived');
    expect(run).toMatchObject({ reason: 'memory', exitCode: null, signal: 'SIGKILL', stdout: '' });
    expect(run.message).toContain('memory');
    expect(place.count()).toBe(0);
  });

  it('memory: also when it is not the first process that is killed', async () => {
    const run = await shell(place.runtime, 'sh -c \'x=$(head -c 300000000 /dev/zero | tr "\\0" a)\'; echo went on');
    expect(run).toMatchObject({ reason: 'memory', exitCode: null, stdout: 'went on\n' });
  });

  it('memory, processes and files are what was asked for, seen from inside [C4-RUNTIME-04]', async () => {
    const groups = '/sys/fs/cgroup';
    const script = [
      `cat ${groups}/memory.max ${groups}/memory/memory.limit_in_bytes 2>/dev/null`,
      `cat ${groups}/pids.max ${groups}/pids/pids.max 2>/dev/null`,
      'ulimit -c; ulimit -f; ulimit -t; ulimit -n',
    ].join('; ');
    const run = await shell(place.runtime, script);
    const fileBlocks = limits.fileBytes / 512;
    expect(run.stdout.trim().split('\n')).toEqual(
      [limits.memoryBytes, limits.processes, 0, fileBlocks, limits.cpuSeconds, 1024].map(String),
    );
  });

  it('processes: no more than the limit can be forked [C4-RUNTIME-04 C4-LIMIT-15]', async () => {
    const script = 'i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done 2>/dev/null; echo forked all';
    const run = await shell(place.runtime, script);
    expect(run.stdout).not.toContain('forked all');
    expect(run).toMatchObject({ reason: 'process_limit', limit: 'processes' });
    expect(run.message).toBe(`it tried to start more processes than the limit of ${limits.processes}`);
    const few = await shell(place.runtime, 'for i in 1 2 3 4 5 6 7 8; do true & done; wait; echo forked all');
    expect(few).toMatchObject({ reason: 'exited', stdout: 'forked all\n' });
  });

  it.each(['stdout', 'stderr'] as const)('output: a flood of %s is cut at the limit', async (stream) => {
    const script = `exec 1>&2; exec cat /dev/zero`;
    const args = stream === 'stdout' ? ['/bin/cat', '/dev/zero'] : ['/bin/sh', '-c', script];
    const run = await runIn(place.runtime, specOf(args));
    expect(run).toMatchObject({ reason: 'output_limit', exitCode: null, signal: 'SIGKILL' });
    expect(run[stream]).toHaveLength(limits.outputBytes);
    expect(run.message).toContain(stream);
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(100 * mebibyte);
    expect(place.count()).toBe(0);
  });

  it('output: exactly the limit is no flood', async () => {
    const run = await shell(place.runtime, `head -c ${limits.outputBytes} /dev/zero`);
    expect(run).toMatchObject({ reason: 'exited', exitCode: 0 });
    expect(run.stdout).toHaveLength(limits.outputBytes);
  });

  it('time: ends who ignores every signal, with all that was left behind', async () => {
    const script = `trap "" TERM INT HUP; (setsid sh -c 'trap "" TERM; while :; do sleep 1; done' &) ; while :; do sleep 1; done`;
    const run = await shell(place.runtime, script, { limits: { ...limits, timeoutMs: 1500 } });
    expect(run).toMatchObject({ reason: 'timeout', exitCode: null, signal: 'SIGKILL' });
    expect(place.count()).toBe(0);
  });

  it('time: somebody left behind who holds the output keeps nobody waiting', async () => {
    const run = await shell(place.runtime, '(setsid sleep 300 &); echo done');
    expect(run).toMatchObject({ reason: 'exited', exitCode: 0, stdout: 'done\n' });
    expect(place.count()).toBe(0);
  });

  it('time: who closes its output may go on until its end', async () => {
    const run = await shell(place.runtime, 'echo before; exec >/dev/null 2>&1; sleep 1; exit 5');
    expect(run).toMatchObject({ reason: 'exited', exitCode: 5, stdout: 'before\n' });
  });

  it('processor: ends who has used up its time', async () => {
    const run = await shell(place.runtime, 'while :; do :; done', { limits: { ...limits, cpuSeconds: 1 } });
    expect(run.reason).toBe('timeout');
    expect(run.message).toContain('processor');
  });

  it('processor: counts all processes together', async () => {
    // None of them uses up its time alone.
    const script = 'i=0; while [ $i -lt 100 ]; do i=$((i+1)); timeout 0.4 sh -c "while :; do :; done"; done';
    const run = await shell(place.runtime, script, { limits: { ...limits, cpuSeconds: 1 } });
    expect(run.reason).toBe('timeout');
    expect(run.message).toContain('processor');
  });

  it('scratch: no more than its size', async () => {
    const script = 'cd /tmp; for i in 1 2 3 4 5 6; do head -c 1000000 /dev/zero > $i || echo full; done; du -k .';
    const run = await shell(place.runtime, script);
    expect(run.stdout).toContain('full');
    expect(run).toMatchObject({ reason: 'scratch_limit', exitCode: 0, limit: 'scratchBytes' });
    expect(Number(run.stdout.trim().split('\n').at(-1)?.split('\t')[0])).toBeLessThanOrEqual(4096);
  });

  it('scratch: no file above its size', async () => {
    const run = await shell(place.runtime, 'head -c 3000000 /dev/zero > /tmp/large; wc -c < /tmp/large');
    expect(Number(run.stdout)).toBeLessThanOrEqual(limits.fileBytes);
    expect(run).toMatchObject({ reason: 'file_limit', exitCode: 0, limit: 'fileBytes' });
    expect(run.message).toBe('a file was cut short at the limit of 2 MB');
    const killed = await runIn(
      place.runtime,
      specOf(['/bin/dd', 'if=/dev/zero', 'of=/tmp/large', 'bs=64k', 'count=99']),
    );
    expect(killed).toMatchObject({ reason: 'file_limit', limit: 'fileBytes' });
    const writable = folderWith();
    chmodSync(writable, 0o777);
    const mounts = [{ source: writable, target: '/out', access: 'write' }] as const;
    const outside = await shell(place.runtime, 'head -c 3000000 /dev/zero > /out/large; true', { mounts });
    expect(outside).toMatchObject({ reason: 'file_limit', exitCode: 0 });
    const less = await shell(place.runtime, 'head -c 2000000 /dev/zero > /tmp/less');
    expect(less).toMatchObject({ reason: 'exited', exitCode: 0, message: null });
  });

  it('scratch: private, new each time, and able to run what is put there', async () => {
    const first = await shell(place.runtime, 'cp /bin/busybox /tmp/echo && /tmp/echo works; ls /tmp');
    expect(first.stdout).toBe('works\necho\n');
    const second = await shell(place.runtime, 'ls /tmp');
    expect(second.stdout).toBe('');
  });

  it('cancelling ends it at once', async () => {
    const stop = new AbortController();
    const run = await runIn(place.runtime, specOf(['/bin/sh', '-c', 'echo up; exec sleep 600']), {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(run).toMatchObject({ reason: 'cancelled', exitCode: null, stdout: 'up\n' });
    expect(place.count()).toBe(0);
  });

  it('cancelling before the start, or at any moment of it, leaves nothing', async () => {
    const already = await runIn(place.runtime, specOf(['/bin/sleep', '60']), { signal: AbortSignal.abort() });
    expect(already.reason).toBe('cancelled');
    const runs = [1, 5, 10, 20, 30, 50, 80, 120].map(async (ms) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), ms);
      return runIn(place.runtime, specOf(['/bin/sleep', '60']), { signal: stop.signal });
    });
    for (const run of await Promise.all(runs)) expect(run.reason).toBe('cancelled');
    expect(place.count()).toBe(0);
  });
});
