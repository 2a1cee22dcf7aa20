import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, SkillError } from '../../core/errors.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import { narrower } from './jq.ts';
import type { ShapeCall, ShapedText } from './shape-text.ts';
import type { Shaping } from './types.ts';

export interface ThreadLimits {
  /** Memory of jq, in bytes. */
  readonly memory: number;
  /** Characters of results, beside as many more as there are in the input. */
  readonly output: number;
}

/** The answer of a thread to a call, and whether it may be given another. */
export type ThreadAnswer = { readonly isKept: boolean } & (
  | { readonly shaped: ShapedText; readonly problem?: undefined }
  | { readonly problem: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } }
);

/** Processor time for any call, and more for each character that it reads. */
const leastMs = 2000;
const charactersPerMs = 1000;
/** Clock time for each unit of processor time: on a busy machine, a thread gets no more than part of a processor. */
const clockPerProcessor = 10;
const limits: ThreadLimits = { memory: 256 * 1024 * 1024, output: 4_000_000 };

/** Threads that have done their work and wait for more: starting one takes ten times as long as most filters. */
const idle: Worker[] = [];
const mostThreads = Math.min(4, availableParallelism());
let busy = 0;
/** Callers that wait for a thread, each called when one is theirs. */
const queue: (() => void)[] = [];
const longestQueue = 100;

/**
 * Shapes output on a thread, so that nobody else has to wait for it: a filter may need for ever, and is ended when it
 * takes too long or too much memory.
 */
export async function onThread(program: string, call: ShapeCall): Promise<ShapedText> {
  if (busy < mostThreads) busy++;
  else if (queue.length < longestQueue) await new Promise<void>((resolve) => queue.push(resolve));
  else
    throw new SkillError('busy', 'the output of too many runs is waiting to be shaped', {
      hint: 'Try again in a few seconds.',
    });
  try {
    return await callThread(program, call);
  } finally {
    const next = queue.shift();
    if (next === undefined) busy--;
    else next();
  }
}

async function callThread(program: string, call: ShapeCall): Promise<ShapedText> {
  const worker = idle.pop() ?? (await startThread(program));
  const answer = await answerOf(worker, call);
  if (answer.isKept) {
    worker.unref();
    idle.push(worker);
  } else void worker.terminate();
  if (answer.problem === undefined) return answer.shaped;
  const { code, message, hint } = answer.problem;
  throw new SkillError(code, message, hint === undefined ? {} : { hint });
}

async function answerOf(worker: Worker, call: ShapeCall): Promise<ThreadAnswer> {
  worker.ref();
  const longestMs = leastMs + Math.ceil(call.output.length / charactersPerMs);
  try {
    const answer = once(worker, 'message');
    const processorMs = stopwatch();
    worker.postMessage(call);
    const latest = performance.now() + longestMs * clockPerProcessor;
    for (let left = longestMs; left > 0 && performance.now() < latest; left = longestMs - processorMs())
      if (await settlesWithin(Math.max(left, 50), answer)) return (await answer)[0] as ThreadAnswer;
  } catch {
    // jq aborts where memory or its stack is used up.
    void worker.terminate();
    throw unfinished(call.shaping, 'needs too much memory, or recurses too deeply');
  }
  void worker.terminate();
  throw tooLate(call.shaping, longestMs);
}

/**
 * Returns a function for the processor time that this process has taken since, in milliseconds: at least what one of
 * its threads has taken.
 */
function stopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

/** Parts of a shaping that a third party may have made too much work, with a remedy for each. */
const works: readonly (readonly [keyof Shaping, string, string])[] = [
  ['grep', 'The regular expression', 'Use a simpler one: no repetition within a repetition, such as (a+)+'],
  ['jq', 'The jq filter', narrower],
];

function unfinished(shaping: Shaping, what: string): SkillError {
  const asked = works.filter(([name]) => shaping[name] !== undefined);
  const names = asked.map(([, name]) => name).join(' or ') || 'The form that was asked for';
  return new SkillError('usage', `${names} ${what}`, { hint: asked[0]?.[2] ?? 'Ask for less with head, tail or jq' });
}

/** The error for work that was not done in its time. */
export function tooLate(shaping: Shaping, longestMs: number): SkillError {
  return unfinished(shaping, `did not finish within ${longestMs} ms`);
}

async function startThread(program: string): Promise<Worker> {
  // The worker gets no environment, and what it prints when it aborts is of use to nobody.
  const worker = new Worker(program, { workerData: limits, env: {}, execArgv: [], stdout: true, stderr: true });
  await once(worker, 'message');
  // The worker may fail when nobody waits for it any more, and that must not end the process.
  worker.on('error', () => {});
  return worker;
}
