import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { SkillError } from '../../../core/errors.ts';

/** A pipe to or from a run: our end as a stream, the other as a descriptor to be handed over and then closed. */
export interface RunPipe {
  readonly ours: Socket;
  readonly theirs: number;
}

/**
 * The direction of a pipe. Launchers report their status through one that has a reader even after we have died: a
 * launcher killed for lack of a reader would leave its half-made sandbox behind.
 */
export type Direction = 'run' | 'us' | 'us, lasting';

export interface Pipes {
  take(direction: Direction): Promise<RunPipe>;
}

const modes = { us: constants.O_WRONLY, 'us, lasting': constants.O_RDWR } as const;

const batch = 48;
const low = 12;

/**
 * Creates real pipes for runs, as FIFOs in a private folder, a batch at a time. Node connects its children by sockets,
 * which cannot be reopened by name: `> /dev/stderr`, as scripts write it, fails on them. A name is removed as soon as
 * both ends are open, so that no pipe serves two runs.
 */
export function createPipes(folder: string, mkfifo: string): Pipes {
  const ready: string[] = [];
  let count = 0;
  let making: Promise<void> | null = null;

  function makeMore(): Promise<void> {
    const names = Array.from({ length: batch }, () => `pipe-${count++}`);
    return new Promise((settle, fail) => {
      const child = spawn(mkfifo, ['-m', '666', ...names], { cwd: folder, env: {}, stdio: 'ignore' });
      child.once('error', fail);
      child.once('exit', (code) => {
        making = null;
        ready.push(...names.map((name) => join(folder, name)));
        if (code === 0) settle();
        else fail(new SkillError('unavailable', `pipes cannot be created in ${folder}`, { hint: 'Is the disk full?' }));
      });
    });
  }

  function refill(): Promise<void> {
    making ??= makeMore();
    return making;
  }
  refill().catch(() => undefined); // reported to the caller that takes one

  return {
    take: async (direction) => {
      while (ready.length === 0) await refill();
      const path = ready.pop() as string;
      if (ready.length < low) refill().catch(() => undefined);
      return openBoth(path, direction);
    },
  };
}

function openBoth(path: string, direction: Direction): RunPipe {
  try {
    return direction === 'run' ? openToRun(path) : openToUs(path, modes[direction]);
  } finally {
    unlinkSync(path);
  }
}

/** Opens a pipe to us: first a reader that does not wait for a writer; the writer then finds it there. */
function openToUs(path: string, mode: number): RunPipe {
  const ours = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const theirs = openSync(path, mode);
  return { ours: new Socket({ fd: ours, readable: true, writable: false }), theirs };
}

/** Opens a pipe to the run, held open both ways for a moment so that neither end waits for the other. */
function openToRun(path: string): RunPipe {
  const both = openSync(path, constants.O_RDWR);
  const ours = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const theirs = openSync(path, constants.O_RDONLY);
  closeSync(both);
  return { ours: new Socket({ fd: ours, readable: false, writable: true }), theirs };
}
