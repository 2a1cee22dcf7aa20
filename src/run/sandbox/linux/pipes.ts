import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { SkillError } from '../../../core/errors.ts';

/** A pipe to or from a run: our end as a stream, and the other as a descriptor to be handed over and then closed. */
export interface RunPipe {
  readonly ours: Socket;
  readonly theirs: number;
}

/**
 * Where a pipe leads. What launchers tell us of themselves they tell by one that has a reader even when we have died:
 * one that were killed for want of a reader would leave its half-made sandbox behind.
 */
export type Direction = 'run' | 'us' | 'us, lasting';

export interface Pipes {
  take(direction: Direction): Promise<RunPipe>;
}

const modes = { us: constants.O_WRONLY, 'us, lasting': constants.O_RDWR } as const;

const batch = 48;
const low = 12;

/**
 * Node joins itself to its children by sockets, which cannot be opened again by name: `> /dev/stderr`, as scripts
 * write it, fails on them. So runs get real pipes, made beforehand by name in a private folder, a batch at a time. A
 * name is taken away as soon as both ends are open, so that no pipe serves two runs.
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
  refill().catch(() => undefined); // whoever takes one hears of it

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

/** A reader that does not wait for a writer comes first; the writer then finds it there. */
function openToUs(path: string, mode: number): RunPipe {
  const ours = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const theirs = openSync(path, mode);
  return { ours: new Socket({ fd: ours, readable: true, writable: false }), theirs };
}

/** Held open both ways for a moment, so that neither end waits for the other. */
function openToRun(path: string): RunPipe {
  const both = openSync(path, constants.O_RDWR);
  const ours = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const theirs = openSync(path, constants.O_RDONLY);
  closeSync(both);
  return { ours: new Socket({ fd: ours, readable: false, writable: true }), theirs };
}
