import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { SkillError } from '../../core/errors.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import { createThreadPool, startThread, ThreadDied, type ThreadPool } from '../../core/thread-pool.ts';
import { narrower } from './jq.ts';
import type { ShapeCall, ShapedText } from './shape-text.ts';
import type { Shaping } from './types.ts';

export interface ThreadLimits {
  /** Memory of jq, in bytes. */
  readonly memory: number;
  /** Characters of results, beside as many more as there are in the input. */
  readonly output: number;
}

/** Processor time for any call, and more for each character that it reads. */
const leastMs = 2000;
const charactersPerMs = 1000;
/** Clock time for each unit of processor time: on a busy machine, a thread gets no more than part of a processor. */
const clockPerProcessor = 10;
const limits: ThreadLimits = { memory: 256 * 1024 * 1024, output: 4_000_000 };

const longestQueue = 100;

let pool: ThreadPool<ShapeCall, ShapedText> | undefined;

/**
 * Shapes output on a thread, so that nobody else has to wait for it: a filter may need for ever, and is ended when it
 * takes too long or too much memory. Threads are kept: starting one takes ten times as long as most filters.
 */
export async function onThread(program: string, call: ShapeCall): Promise<ShapedText> {
  pool ??= createThreadPool({
    start: () => startShaper(program),
    threads: Math.min(4, availableParallelism()),
    keepsAlive: true,
    late,
  });
  if (pool.waiting >= longestQueue)
    throw new SkillError('busy', 'the output of too many runs is waiting to be shaped', {
      hint: 'Try again in a few seconds.',
    });
  try {
    return await pool.run(call);
  } catch (error) {
    // jq aborts where memory or its stack is used up.
    if (!(error instanceof ThreadDied)) throw error;
    throw unfinished(call.shaping, 'needs too much memory, or recurses too deeply');
  }
}

/** Waits for an answer, for as long as the call may take by the processor time that it has had. */
async function late({ output, shaping }: ShapeCall, answer: Promise<unknown>): Promise<SkillError | null> {
  const longestMs = leastMs + Math.ceil(output.length / charactersPerMs);
  const processorMs = stopwatch();
  const latest = performance.now() + longestMs * clockPerProcessor;
  for (let left = longestMs; left > 0 && performance.now() < latest; left = longestMs - processorMs())
    if (await settlesWithin(Math.max(left, 50), answer)) return null;
  return tooLate(shaping, longestMs);
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

/** Starts a thread, and waits until it has loaded jq: that is not part of any call. */
async function startShaper(program: string): Promise<Worker> {
  // The thread gets no environment, and what it prints when it aborts is of use to nobody.
  const worker = startThread(program, limits, { env: {}, stdout: true, stderr: true });
  await once(worker, 'message');
  return worker;
}
