import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createNativeRuntime } from '../../src/run/sandbox/native/runtime.ts';
import type { RunSpec, SandboxRuntime } from '../../src/run/sandbox/types.ts';
import { finish, openFolder, sandboxContract, specFor } from './contract.ts';
import { shellJob } from './shell-programs.ts';

const warm = (): SandboxRuntime => createNativeRuntime(hostEnvironment(), { pool: 'warm' });

function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
  } catch {
    return []; // it has ended
  }
}

const isLauncher = (words: readonly string[]): boolean => words[0]?.endsWith('/bwrap') ?? false;

/** The launchers of sandboxes that show a folder. */
function launchersFor(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    const words = /^\d+$/.test(pid) ? wordsOf(pid) : [];
    return isLauncher(words) && words.includes('--seccomp') && words.includes(folder);
  });
}

/** Tells whether the first process within has begun. */
function isSetUp(launcher: string): boolean {
  try {
    const children = readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'latin1').trim().split(' ');
    return children.some((child) => child !== '' && !isLauncher(wordsOf(child)));
  } catch {
    return false; // it has ended
  }
}

async function untilWaiting(folder: string): Promise<void> {
  await expect.poll(() => launchersFor(folder).some(isSetUp)).toBe(true);
}

const nothing = { kind: 'command', program: '/bin/true', args: [] } as const;

/** A runtime that has a sandbox waiting for each run that there can be one for. */
function alwaysAhead(): SandboxRuntime {
  const runtime = warm();
  return {
    ...runtime,
    run: async (spec, watcher) => {
      if (spec.mounts.length === 0 && spec.network.length === 0 && spec.stdin === null) {
        await finish(runtime, { ...spec, id: `${spec.id}-before`, task: nothing });
        await untilWaiting(spec.skillFolder);
      }
      return runtime.run(spec, watcher);
    },
  };
}

sandboxContract('native, set up ahead', async () => ({ runtime: alwaysAhead(), program: shellJob }));

describe('a sandbox that was set up ahead', () => {
  /** Says when the first process of the sandbox was started, in ticks since the machine was. */
  const birth = 'cut -d " " -f 22 /proc/1/stat';
  const shell = (script: string, ...args: readonly string[]): RunSpec['task'] => {
    return { kind: 'command', program: '/bin/sh', args: ['-c', script, 'sh', ...args] };
  };
  const uptime = (): number => Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);

  function opened(): { runtime: SandboxRuntime; folder: string } {
    const runtime = warm();
    onTestFinished(() => runtime.close());
    return { runtime, folder: openFolder('skill') };
  }

  it('serves the next run of the skill, and only one, and shows it nothing of another', async () => {
    const { runtime, folder } = opened();
    const run = async (name: string) => {
      const script = `ls -A /tmp; echo "$1 $NAME"; touch /tmp/left; ${birth}`;
      const began = uptime();
      const { stdout } = await finish(runtime, specFor(shell(script, name), folder, { env: { NAME: name } }));
      const [said, ticks = ''] = stdout.split('\n');
      return { said, wasAhead: Number(ticks) / 100 < began };
    };
    expect(await run('one')).toEqual({ said: 'one one', wasAhead: false });
    await untilWaiting(folder);
    expect(await run("t'wo")).toEqual({ said: "t'wo t'wo", wasAhead: true });
    await untilWaiting(folder);
    const both = await Promise.all([run('three'), run('four')]);
    expect(both.map(({ said }) => said)).toEqual(['three three', 'four four']);
    expect(both.filter(({ wasAhead }) => wasAhead)).toHaveLength(1);
  });

  it('is not used for a folder that has taken the place of the one it shows', async () => {
    const { runtime, folder } = opened();
    const look = () => finish(runtime, specFor(shell('ls /skill'), folder));
    expect((await look()).outcome).toMatchObject({ reason: 'exited' });
    await untilWaiting(folder);
    const other = openFolder('other');
    renameSync(folder, `${other}/old`);
    renameSync(openFolder('new'), folder);
    expect((await look()).outcome).toMatchObject({ reason: 'exited', exitCode: 0 });
  });

  it('goes when the runtime is closed, and does not wait where there is to be one run', async () => {
    const { runtime, folder } = opened();
    await finish(runtime, specFor(nothing, folder));
    await untilWaiting(folder);
    await runtime.close();
    expect(launchersFor(folder)).toEqual([]);
    const single = createNativeRuntime(hostEnvironment());
    onTestFinished(() => single.close());
    await finish(single, specFor(nothing, folder));
    await pause(300);
    expect(launchersFor(folder)).toEqual([]);
  });
});
