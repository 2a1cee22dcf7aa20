import type { Duplex } from 'node:stream';
import {
  choice,
  type Infer,
  list,
  literal,
  number,
  object,
  optional,
  text,
  union,
} from '../../../core/schema/schema.ts';
import { readOwn } from '../../../core/schema/schema-reader.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import { sizeInWords } from '../../../core/text/quantities.ts';
import type { Limits } from '../../policy/types.ts';
import { type Ending, endedAlone, engineError, survived, survivedLimits } from '../ending.ts';
import type { Waiting } from '../pool.ts';
import { type Running, supervise } from '../supervise.ts';
import type { Enforcement, Outcome, Watcher } from '../types.ts';
import { type Call, type Order, trapCode } from './protocol.ts';

/** A child process for one run, whatever confines it. It gets ready by itself, and then waits for its order. */
export interface Child extends Waiting {
  readonly running: Running;
  readonly talk: Talk;
  readonly enforcement: readonly Enforcement[];
}

/** A child that has been started. */
interface Started extends Running {
  readonly channel: Duplex | null;
  readonly enforcement: readonly Enforcement[];
  keepAlive(whether: 'yes' | 'no'): void;
}

export function childOf(started: Started): Child {
  const { channel } = started;
  if (channel === null) throw new Error('a child without a channel');
  const talk = talkOver(channel);
  return {
    running: started,
    talk,
    ready: talk.ready,
    ended: started.ended,
    end: async () => {
      started.kill();
      await started.ended;
    },
    enforcement: started.enforcement,
    keepAlive: (whether) => started.keepAlive(whether),
  };
}

const open = { open: true } as const;

/** A report of a child, one line of JSON each, on a channel of its own. */
const reportSchema = union(
  object({ kind: literal('ready') }, undefined, open),
  object({ kind: literal('unfit'), message: text() }, 'A module that cannot be run at all.', open),
  object({ kind: literal('too-large'), message: text() }, 'It needs more memory than allowed to begin with.', open),
  object({ kind: literal('exited'), code: number(), reached: optional(list(choice(survivedLimits))) }, undefined, open),
  object({ kind: literal('trap'), message: text(), memoryBytes: number() }, 'It was running and broke off.', open),
);
export type Report = Infer<typeof reportSchema>;

/** Characters of reports that are read: more than any child has to report. */
const longestTalk = 65_536;

/** The conversation with a child over its channel. Its reports are trusted no more than the program that it runs. */
interface Talk {
  /** Settles with false if the child ended without ever being ready. */
  readonly ready: Promise<boolean>;
  /** The last report, other than `ready`. */
  last(): Exclude<Report, { kind: 'ready' }> | null;
  /** Sends the order, with the bytes that follow it if the child expects some. */
  order(order: Order | Call, attached?: readonly Uint8Array[]): void;
  /** Settles when nothing more will come. */
  readonly closed: Promise<void>;
}

export function talkOver(channel: Duplex): Talk {
  let text = '';
  let last: ReturnType<Talk['last']> = null;
  let settle: (ready: boolean) => void = () => undefined;
  const ready = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const onLine = (line: string) => {
    const said = readOwn(reportSchema, line);
    if (said?.kind === 'ready') settle(true);
    else if (said !== null) last = said;
  };
  channel.on('data', (bytes: Buffer) => {
    if (text.length < longestTalk) text += bytes.toString('utf8');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) channel.once(event, () => resolve());
  });
  void closed.then(() => {
    settle(false);
    channel.destroy();
  });
  // A child that cannot run reports why and ends: an order written then would break the channel before that is read.
  const order: Talk['order'] = (given, attached = []) =>
    void ready.then((isReady) => {
      if (isReady) for (const piece of [`${JSON.stringify(given)}\n`, ...attached]) channel.write(piece);
    });
  return { ready, closed, last: () => last, order };
}

/** Beginning of the reason if something cannot be run at all. */
export const unfitWords = 'it cannot be run: ';

/** Share of its memory limit at which a guest that traps has most likely requested more and been refused. */
const nearlyAll = 3 / 4;

/** The ending of a run, judged by how its child ended and what it had reported. */
export function verdictOf(ending: Ending, last: ReturnType<Talk['last']>, limits: Limits): Ending {
  if (!endedAlone(ending)) return ending;
  if (ending.reason !== 'exited') return last?.kind === 'exited' ? { ...ending, exitCode: last.code } : ending;
  switch (last?.kind) {
    case 'exited':
      return survived({ ...ending, exitCode: last.code, signal: null }, last.reached ?? [], limits);
    case 'unfit':
      return failed(ending, 'engine_error', `${unfitWords}${last.message}`);
    case 'too-large':
      return outOfMemory(ending, `it needs more memory than the limit of ${sizeInWords(limits.memoryBytes)}`);
    case 'trap': {
      const isFull = last.memoryBytes >= limits.memoryBytes * nearlyAll;
      if (!isFull) return { ...ending, exitCode: trapCode, signal: null };
      const message = `it failed (${last.message}) with ${sizeInWords(last.memoryBytes)} of its ${sizeInWords(limits.memoryBytes)} of memory in use`;
      return outOfMemory(ending, message);
    }
    case undefined:
      return silent(ending, limits);
  }
}

/** The ending of an engine that ended without a report: by itself it does so only for lack of memory. */
function silent(ending: Ending, limits: Limits): Ending {
  const isCrash = (ending.exitCode ?? 0) >= 128;
  if (!isCrash) return failed(ending, 'engine_error', 'the engine that runs it ended unexpectedly');
  return outOfMemory(ending, `the engine ran out of memory; the limit is ${sizeInWords(limits.memoryBytes)}`);
}

function failed(ending: Ending, reason: Ending['reason'], message: string): Ending {
  return { ...ending, reason, exitCode: null, signal: null, message };
}

function outOfMemory(ending: Ending, message: string): Ending {
  return { ...failed(ending, 'memory', message), limit: 'memoryBytes' };
}

/** One run, of a module or a component. */
export interface Execution {
  readonly order: Order | Call;
  /** Bytes that follow the order. */
  readonly attached?: readonly Uint8Array[];
  readonly stdin: Uint8Array | null;
  readonly limits: Limits;
  readonly watcher: Watcher;
  /** Start of the run, by `performance.now()`. */
  readonly began: number;
}

/** Milliseconds by which a child's last report may come later than its end. */
const lastWordsMs = 1000;

/** Gives a child its order and supervises it to its end. Returns a sentence if the sandbox could not be set up. */
export async function execute(child: Child, execution: Execution): Promise<Outcome | string> {
  child.talk.order(execution.order, execution.attached);
  const ending = await supervise(child.running, execution);
  if (ending.reason === 'engine_error' && !(await child.running.ended).setUp) return ending.message ?? '';
  await settlesWithin(lastWordsMs, child.talk.closed);
  return outcomeOf(verdictOf(ending, child.talk.last(), execution.limits), child.enforcement);
}

export function outcomeOf(ending: Ending, enforcement: readonly Enforcement[]): Outcome {
  return { ...ending, enforcement, denials: [] };
}

/** The outcome of a run that was not started. */
export function notBegun(reason: 'denied' | 'engine_error', message: string, began: number): Outcome {
  return outcomeOf({ ...engineError('', performance.now() - began), reason, message }, []);
}
