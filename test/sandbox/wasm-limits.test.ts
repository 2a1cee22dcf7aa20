import { chmodSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { leaveMachine, machineFor } from '../../src/run/sandbox/linux/machine.ts';
import { assemble, assembleComponent } from './guests/assemble.ts';
import { exiting, flooding, program } from './guests/programs.ts';
import { createStage, type Stage } from './guests/stage.ts';
import { descriptors, guestOf, makeFolder, write } from './guests/steps.ts';

const megabyte = 1024 * 1024;

for (const isolation of ['sandbox', 'memory'] as const) {
  describe(`a module (${isolation})`, () => {
    let stage: Stage;
    beforeAll(() => {
      stage = createStage({ isolation });
    });
    afterAll(() => stage.end());

    it('gets its arguments, its environment and its input, byte for byte', async () => {
      const stdin = Buffer.from(`in ${'x'.repeat(200_000)} ü`);
      const result = await stage.run(await program('echo'), {
        args: ['a b', 'ü', ''],
        env: { X: 'y z', Ü: 'ö' },
        stdin,
      });
      const [args, env, input] = result.stdout.split('|');
      expect(args?.split('\0').slice(1)).toEqual(['a b', 'ü', '', '']);
      expect(env).toBe('X=y z\0Ü=ö\0');
      expect(input).toBe(stdin.toString('utf8'));
      expect(result).toMatchObject({ reason: 'exited', exitCode: 7, signal: null, message: null, stderr: '|' });
    });

    it('gets random bytes, and others each time', async () => {
      const dice = await program('dice');
      const [one, other] = [await stage.run(dice), await stage.run(dice)];
      expect([one, other]).toMatchObject([
        { exitCode: 0, stderr: '', stdout: expect.stringMatching(/^[a-p]{64}$/) },
        { exitCode: 0, stderr: '', stdout: expect.stringMatching(/^[a-p]{64}$/) },
      ]);
      expect(one.stdout).not.toBe(other.stdout);
    });

    it.each([0, 1, 125, 134, 137, 255, 256, 70_000])(
      'ends with code %i, and it is not taken for anything else',
      async (code) => {
        expect(await stage.run(await exiting(code))).toMatchObject({ reason: 'exited', exitCode: code, message: null });
      },
    );

    it('breaks off where it traps, and says why', async () => {
      const result = await stage.run(await program('trap'));
      expect(result).toMatchObject({ reason: 'exited', exitCode: 134, stderr: 'trap: unreachable\n' });
    });

    it('breaks off where it calls itself without end', async () => {
      const result = await stage.run(await program('deep'));
      expect(result).toMatchObject({ reason: 'exited', exitCode: 134 });
      expect(result.stderr).toContain('call stack');
    });

    it('is ended at the deadline, in a loop or in a call of the host [C4-LIMIT-09 C4-LIMIT-10]', async () => {
      for (const name of ['endless', 'sleeper'] as const) {
        const result = await stage.run(await program(name), { limits: { timeoutMs: 700 } });
        expect(result, name).toMatchObject({ reason: 'timeout', exitCode: null });
      }
    });

    it('is ended where it has used its processor time', async () => {
      const result = await stage.run(await program('endless'), { limits: { cpuSeconds: 1 } });
      expect(result).toMatchObject({ reason: 'timeout', limit: 'cpuSeconds' });
    });

    it('has no more memory than it may by having many', async () => {
      const many = Array.from({ length: 12 }, (_, at) => ({ name: `$m${at}`, pages: 3000 }));
      const memories = many.map(({ name, pages }) => `(memory ${name} ${pages})`).join('');
      const fill = many.map(({ name }) => `(memory.fill ${name} (i32.const 0) (i32.const 1) (i32.const 196000000))`);
      const text = `(module ${memories} (export "memory" (memory $m0)) (func (export "_start") ${fill.join('')}))`;
      const result = await stage.run(await assembleComponent(text), { limits: { memoryBytes: 256 * megabyte } });
      expect(result).toMatchObject({ exitCode: null, message: expect.stringContaining('memory') });
    });

    it('is ended when it is cancelled [C4-LIMIT-13]', async () => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 300);
      expect(await stage.run(await program('endless'), { signal: stop.signal })).toMatchObject({ reason: 'cancelled' });
    });

    it('has as much memory as it may, and no more [C4-LIMIT-04]', async () => {
      const result = await stage.run(await program('bomb'), { limits: { memoryBytes: 32 * megabyte } });
      expect(result.reason).toBe('memory');
      expect(result.message).toContain('32 MB of its 32 MB of memory');
      expect((await stage.run(await program('greedy'))).reason).toBe('memory');
    });

    it('has no more by tables', async () => {
      const result = await stage.run(await program('tables'));
      expect(result.reason).toBe('memory');
    });

    it('is cut off where it floods a stream [C4-LIMIT-08]', async () => {
      for (const stream of ['stdout', 'stderr'] as const) {
        const before = process.memoryUsage().rss;
        const result = await stage.run(await flooding(stream), { limits: { outputBytes: 300_000 } });
        expect(result, stream).toMatchObject({ reason: 'output_limit' });
        expect(result[stream]).toBe('x'.repeat(300_000));
        expect(process.memoryUsage().rss - before).toBeLessThan(100 * megabyte);
      }
    });

    it('can fill its scratch folder and no more [C4-LIMIT-07]', async () => {
      const big = 'y'.repeat(megabyte);
      const steps = Array.from({ length: 6 }, (_, index) =>
        write(`file${index}`, descriptors.scratch, `f${index}`, big),
      );
      const module = await guestOf(steps);
      const full = await stage.run(module, { limits: { scratchBytes: 4 * megabyte, memoryBytes: 64 * megabyte } });
      expect(full).toMatchObject({ reason: 'scratch_limit', exitCode: 0, limit: 'scratchBytes' });
      const written = full.stdout.match(/written/g)?.length ?? 0;
      expect(written).toBeGreaterThanOrEqual(3);
      expect(written).toBeLessThan(5);
    });

    it('cannot write a file longer than the limit, and is told so [C4-LIMIT-15]', async () => {
      const steps = [write('file', descriptors.scratch, 'f', 'y'.repeat(megabyte))];
      const cut = await stage.run(await guestOf(steps), { limits: { fileBytes: megabyte / 2 } });
      expect(cut).toMatchObject({ reason: 'file_limit', limit: 'fileBytes' });
      expect(cut.message).toContain('limit of 512 kB');
    });

    it('cannot fill it with many small things either', async () => {
      const scratchBytes = 256 * 1024;
      const steps = Array.from({ length: 2000 }, (_, index) =>
        makeFolder(`d${index}`, descriptors.scratch, `d${index}`),
      );
      const files = Array.from({ length: 2000 }, (_, index) =>
        write(`f${index}`, descriptors.scratch, `f${index}`, 'z'),
      );
      const { reason, stdout } = await stage.run(await guestOf([...files, ...steps]), { limits: { scratchBytes } });
      expect(reason).toBe('scratch_limit');
      expect(stdout.match(/written/g)?.length ?? 0).toBeLessThan(100);
    });

    it('is refused where it is no program', async () => {
      const library = await stage.run(await program('library'));
      expect(library).toMatchObject({ reason: 'engine_error', exitCode: null });
      expect(library.message).toContain('_start');
      const foreign = await stage.run(await program('foreign'));
      expect(foreign.reason).toBe('engine_error');
      expect(foreign.message).toContain('env');
    });

    it.each([
      ['nothing', new Uint8Array()],
      ['text', Buffer.from('#!/bin/sh\necho no')],
      ['a header alone, and rubbish', Buffer.from('\0asm\x01\0\0\0\xff\xff\xff\xff\xff\xff', 'latin1')],
      ['a section that is longer than the file', Buffer.from('\0asm\x01\0\0\0\x01\xff\xff\xff\x0f', 'latin1')],
      ['a component', Buffer.from('\0asm\x0d\0\x01\0', 'latin1')],
      ['ten megabytes of nothing', new Uint8Array(10 * megabyte)],
    ])('is refused where it is %s', async (_, bytes) => {
      expect(await stage.run(bytes)).toMatchObject({ reason: 'engine_error', stdout: '' });
    });

    it('is refused where its file has changed since it was looked at', async () => {
      const spec = stage.specFor(await program('nothing'));
      if (spec.task.kind === 'module') writeFileSync(spec.task.file, await program('trap'));
      const result = await stage.runSpec(spec);
      expect(result).toMatchObject({ reason: 'engine_error' });
      expect(result.message).toContain('changed');
    });

    it('is refused or run, and never harms us, where it is huge', async () => {
      const functions = Array.from({ length: 20_000 }, (_, index) => `(func (result i32) (i32.const ${index}))`).join(
        '',
      );
      const module = await assemble(`(module ${functions} (memory (export "memory") 1) (func (export "_start")))`);
      expect(await stage.run(module)).toMatchObject({ reason: 'exited', exitCode: 0 });
    });

    it('runs many times at once, and each knows of itself alone [C4-LIMIT-11 C4-LIMIT-12]', async () => {
      const module = await program('echo');
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          stage.run(module, { args: [`run-${index}`], env: { N: String(index) }, stdin: Buffer.from(`in-${index}`) }),
        ),
      );
      for (const [index, { stdout, exitCode }] of all.entries()) {
        expect(exitCode).toBe(7);
        expect(stdout.split('\0').slice(1).join('\0')).toBe(`run-${index}\0|N=${index}\0|in-${index}`);
      }
    });

    it('tells its output as it comes', async () => {
      const seen: string[] = [];
      const stop = new AbortController();
      const onOutput = (text: string) => {
        seen.push(text);
        stop.abort();
      };
      const steps = [makeFolder('first', descriptors.scratch, 'd')];
      await stage.run(await guestOf(steps, 1_000_000_000), {
        onOutput,
        signal: stop.signal,
        limits: { outputBytes: 64 * megabyte },
      });
      expect(seen.join('')).toContain('first=');
    });
  });
}

describe('the size of a file', () => {
  it('is bounded, in a grant as in memory [C4-LIMIT-07]', async () => {
    const module = await guestOf([write('first', descriptors.firstMount, 'file', 'y'.repeat(megabyte))]);
    const limits = { fileBytes: megabyte / 2 };
    const stage = createStage();
    const source = stage.folder('granted');
    chmodSync(source, 0o777);
    await stage.run(module, { limits, mounts: [{ source, target: '/data', access: 'write' }] });
    expect(statSync(join(source, 'file')).size).toBeLessThanOrEqual(limits.fileBytes);
    await stage.end();
    const other = createStage({ isolation: 'memory' });
    // There the working folder comes next.
    const result = await other.run(module, { limits, folder: 'scratch' });
    expect(result.stdout).toContain('first=00');
    expect(result.stdout).not.toContain('written');
    await other.end();
  });
});

describe('without a sandbox', () => {
  it('says why, and what to do, where it stops working between two runs', async () => {
    const stage = createStage();
    const module = await program('nothing');
    expect((await stage.run(module)).reason).toBe('exited');
    const standIn = join(stage.root, 'bwrap');
    writeFileSync(standIn, '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
    chmodSync(standIn, 0o755);
    const machine = machineFor(hostEnvironment()) as { bwrap: string };
    machine.bwrap = standIn;
    try {
      const result = await stage.run(module);
      expect(result).toMatchObject({ reason: 'engine_error', exitCode: null, stdout: '', enforcement: [] });
      for (const words of ['setting up uid map: Permission denied', 'AppArmor', '--wasm-isolation memory'])
        expect(result.message).toContain(words);
    } finally {
      leaveMachine();
      await stage.end();
    }
  });

  it('refuses a module that is granted a folder of the machine', async () => {
    const stage = createStage({ isolation: 'memory' });
    const mounts = [{ source: stage.folder('granted'), target: '/data', access: 'read' }] as const;
    const result = await stage.run(await program('nothing'), { mounts });
    expect(result).toMatchObject({ reason: 'denied', exitCode: null, stdout: '' });
    expect(result.message).toContain('--wasm-isolation sandbox');
    await stage.end();
  });

  it('refuses a skill that is too large to be held in memory', async () => {
    const stage = createStage({ isolation: 'memory' });
    writeFileSync(join(stage.skill, 'large'), '');
    truncateSync(join(stage.skill, 'large'), 65 * megabyte);
    const result = await stage.run(await program('nothing'));
    expect(result).toMatchObject({ reason: 'engine_error' });
    expect(result.message).toContain('too much to hold in memory');
    await stage.end();
  });
});

describe('afterwards', () => {
  it('nothing is left: no process, no group, no file', async () => {
    const stage = createStage();
    await stage.run(await program('endless'), { limits: { timeoutMs: 300 } });
    await stage.run(await program('echo'));
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    expect(names.filter((pid) => commandOf(pid).includes(stage.root))).toEqual([]);
    await stage.end();
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
