import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { reasonOf, SkillError } from '../../kernel/errors.ts';
import { settlesWithin } from '../../kernel/settles-within.ts';
import { cut } from '../../kernel/text.ts';
import { createLines } from './lines.ts';
import { answerIn, type Message, messageIn, messageLimit } from './message.ts';
import type { Answer, Channel, Target } from './types.ts';

/** How long a server may take to end when its client leaves. */
const leaveMs = 1000;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: SkillError) => void;
}

type Program = Extract<Target, { kind: 'process' }>;

/** Starts a server as agents do, and speaks to it line by line. */
export function openProcess(
  program: Program,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal | undefined },
): Channel {
  const child = started(program, folder);
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let failure: SkillError | null = null;
  let said = '';
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const fail = (error: SkillError): void => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  const stop = (): void => killTree(child);
  signal?.addEventListener('abort', stop, { once: true });

  const ended = (code: number | null, ending: NodeJS.Signals | null): void => {
    const last = said.trim().split('\n').at(-1) ?? '';
    const how = code === null ? `was ended by ${ending}` : `ended with code ${code}`;
    const words = last === '' ? '' : `, saying: ${cut(last, 200)}`;
    const hint = 'Run its command in a terminal to see why.';
    fail(new SkillError('unavailable', `the server ${how}${words}`, { hint }));
  };
  child.once('error', (error) => fail(unstartable(program, error)));
  child.once('close', ended);
  // What it has left behind may hold its pipes open for as long as it likes.
  child.once('exit', (code, ending) => setTimeout(ended, leaveMs, code, ending).unref());
  child.stdin.on('error', () => {}); // a server that has ended reads no more, which is told by its end
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  readLines(child, (line) => {
    if (failure !== null) return;
    const message = line === null ? null : messageIn(line);
    if (message === null) return fail(garbled(line));
    if (message.method !== undefined) return refuse(message);
    const one = typeof message.id === 'number' ? waiting.get(message.id) : undefined;
    waiting.delete(message.id as number);
    one?.resolve(answerIn(message));
  });

  return {
    request(method, params) {
      return new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    async notify(method) {
      send({ method });
    },
    async close() {
      signal?.removeEventListener('abort', stop);
      child.stdin.end();
      if (failure === null) await settlesWithin(leaveMs, closed);
      killTree(child);
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      child.unref();
    },
  };

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** A question of the server's: we are here to look, and can do nothing for it. */
  function refuse({ id }: Message): void {
    if (id !== undefined) send({ id, error: { code: -32601, message: 'not supported' } });
  }
}

function started({ command, args, env, cwd }: Program, folder: string): ChildProcessWithoutNullStreams {
  try {
    // A group of its own, so that whatever it starts can be ended with it.
    return spawn(command, args, { cwd: cwd ?? folder, env, detached: process.platform !== 'win32' });
  } catch (error) {
    throw unstartable({ command, cwd }, error);
  }
}

function unstartable({ command, cwd }: Pick<Program, 'command' | 'cwd'>, error: unknown): SkillError {
  const place = cwd === null ? '' : ` in ${cut(cwd, 200)}`;
  const hint = 'Is the path in the entry still right?';
  return new SkillError('unavailable', `${cut(command, 200)} cannot be started${place} (${reasonOf(error)})`, { hint });
}

function garbled(line: string | null): SkillError {
  const what = line === null ? 'an endless line' : cut(line, 80);
  const hint = 'Is it an MCP server?';
  return new SkillError('unavailable', `the server writes something other than the protocol to stdout: ${what}`, {
    hint,
  });
}

/** Hands on one line after the other; null for one that is too long to be kept. */
function readLines({ stdout }: ChildProcessWithoutNullStreams, take: (line: string | null) => void): void {
  let lines = createLines();
  stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of lines.add(text)) if (line.trim() !== '') take(line);
    if (lines.length <= messageLimit) return;
    lines = createLines();
    take(null);
  });
}

/** Ends a server and all that it has started, whether it is still there itself or not. */
function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Then there is nothing left to end.
  }
}
