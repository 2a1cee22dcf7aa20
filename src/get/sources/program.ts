import { spawn } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sizeInWords } from '../../core/text/quantities.ts';
import type { Limits } from './limits.ts';

/** Options for running one of the user's own programs. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** Whether it may ask the person at the terminal. */
  readonly terminal?: boolean | undefined;
  /** The standard input; it may be given later than the start, and not at all where it fails. */
  readonly input?: string | Promise<string>;
  /** Called with its output as it comes; otherwise that is kept. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly onError?: (text: string) => void;
  /** The folder that it fills from the network: it must keep growing, and not for ever. */
  readonly fills?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: Buffer;
  /** The end of what it said. */
  readonly said: string;
}

/** Bytes of output that are kept of a program. */
const mostOutput = 32 * 1024 ** 2;
const mostSaid = 16 * 1024;

/** Runs a program with arguments that no shell ever sees, and ends it with all that it started where it must not go on. */
export async function runProgram(name: string, args: readonly string[], options: ProgramOptions): Promise<Ended> {
  const { cwd, env, signal, terminal = false } = options;
  signal?.throwIfAborted();
  const child = spawn(name, [...args], {
    cwd,
    env: { ...env },
    // A group of its own can be ended as a whole; but only the terminal's own may ask there.
    detached: !terminal && process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let problem: unknown;
  const stop = (why: unknown): void => {
    problem ??= why;
    end(child.pid, !terminal);
  };
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const watch = watching(name, options, stop);
  const kept: Buffer[] = [];
  let [size, said] = [0, ''];
  child.stdout.on('data', (chunk: Buffer) => {
    watch.hear();
    size += chunk.length;
    try {
      if (options.onOutput !== undefined) options.onOutput(chunk);
      else if (size <= mostOutput) kept.push(chunk);
      else stop(new SkillError('unreadable', `${name} prints more than ${sizeInWords(mostOutput)}`));
    } catch (error) {
      stop(error);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    watch.hear();
    const text = chunk.toString('utf8');
    options.onError?.(text);
    // Lines that were written over told of progress: there are so many that nothing else would be left.
    said = (said + text).replace(/[^\r\n]*\r(?!\n)/g, '').slice(-mostSaid);
  });
  child.stdin.on('error', () => undefined); // it has ended, and says itself why
  Promise.resolve(options.input ?? '').then((text) => child.stdin.end(text), stop);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (problem !== undefined) throw problem;
    return { code, output: Buffer.concat(kept), said };
  } catch (error) {
    if (problem === undefined && reasonOf(error) === 'ENOENT') {
      throw new SkillError('unavailable', `${name} is not installed`, {
        hint: `Install ${name}, or set PATH so that it is found.`,
      });
    }
    throw problem ?? error;
  } finally {
    watch.off();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Watches a program that talks to a server: what it says and the folder that it fills are its signs of life. */
function watching(
  name: string,
  { fills, limits, terminal = false }: ProgramOptions,
  onBad: (why: SkillError) => void,
): { hear(): void; off(): void } {
  const began = Date.now();
  let [heardAt, before] = [began, 0];
  const problemAt = (now: number, bytes: number): string | null => {
    if (bytes > limits.sentBytes) return `fetched more than ${sizeInWords(limits.sentBytes)}`;
    if (now - began > limits.totalMs) return 'was ended: the server did not come to an end';
    return !terminal && now - heardAt > limits.idleMs ? 'was ended: the server went silent' : null;
  };
  const timer = setInterval(
    () => {
      const now = Date.now();
      const bytes = fills === undefined ? 0 : sizeOf(fills);
      if (bytes !== before) [heardAt, before] = [now, bytes];
      const problem = problemAt(now, bytes);
      if (problem !== null) onBad(new SkillError('unreadable', `${name} ${problem}`, { hint: 'Try again later.' }));
    },
    Math.min(500, limits.idleMs / 4),
  );
  return {
    hear() {
      heardAt = Date.now();
    },
    off: () => clearInterval(timer),
  };
}

function end(pid: number | undefined, isGroup: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isGroup && process.platform !== 'win32' ? -pid : pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Bytes of all files in a folder. */
function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
      const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return sum + (stats?.isFile() ? stats.size : 0);
    }, 0);
  } catch {
    return 0; // it changes while we look
  }
}
