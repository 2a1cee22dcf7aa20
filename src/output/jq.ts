import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { SkillError } from '../kernel/errors.ts';
import { packageFile } from '../kernel/package-file.ts';

/** What a thread is given to do, and what jq says to it. */
export interface JqCall {
  readonly filter: string;
  readonly input: string;
}

export interface JqAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface JqLimits {
  /** In bytes. */
  readonly memory: number;
  /** So many characters of results, and as many more as there are in the input. */
  readonly output: number;
}

/** The input is not JSON. */
export class NotJson extends SkillError {}

/** Time for any filter, and more for each character that it reads. */
const leastMs = 2000;
const charactersPerMs = 1000;
const limits: JqLimits = { memory: 256 * 1024 * 1024, output: 4_000_000 };
const longestFilter = 20_000;

/**
 * What jq makes of JSON: compact JSON, one text for each result. It runs on a thread of its own, because a filter may
 * need for ever, and is ended when it takes too long or too much memory.
 */
export async function runJq(filter: string, input: string): Promise<string[]> {
  if (filter.length > longestFilter) throw filterError(`has more than ${longestFilter} characters`, narrower);
  if (filter.includes('\0')) throw filterError('has a NUL character', 'Leave it out.');
  const { stdout, stderr, exitCode } = await callJq({ filter, input });
  if (exitCode === 0) return stdout === '' ? [] : stdout.split('\n');
  const [said = ''] = stderr.split('\n');
  const notJson = /^jq: parse error: (.*)/.exec(said)?.[1];
  if (notJson !== undefined) {
    throw new NotJson('usage', `jq needs JSON, and the output is not: ${notJson}`, {
      hint: 'Leave out jq to see the output, or use grep, head and tail, which take any text',
    });
  }
  if (exitCode === invalid) {
    throw filterError(
      `is not valid: ${said.replace(/^jq: error: |:$|<top-level>, /g, '')}`,
      'See https://jqlang.org/manual',
    );
  }
  const failure = said.replace(/^jq: error \(at [^)]*\)(?: \(not a string\))?: /, '');
  throw filterError(
    `failed: ${failure.slice(0, 300)}`,
    'Use ? or // for what may be missing, and look at the output without jq if you do not know its structure',
  );
}

/** Refuses a filter that jq cannot read. Without input, it is compiled and nothing more. */
export async function checkFilter(filter: string): Promise<void> {
  await runJq(filter, '');
}

/** The exit code of jq for a filter that it cannot compile. */
const invalid = 3;
const narrower = 'Narrow the filter down, for example with limit(100; …) or by selecting only the part you need';

function filterError(what: string, hint: string): SkillError {
  return new SkillError('usage', `The jq filter ${what}`, { hint });
}

/** Threads that have done their work and wait for more: starting one takes ten times as long as most filters. */
const idle: Worker[] = [];
const mostThreads = Math.min(4, availableParallelism());
let busy = 0;
/** Those who wait for a thread, each called when one is theirs. */
const queue: (() => void)[] = [];
const longestQueue = 100;

async function callJq(call: JqCall): Promise<JqAnswer> {
  if (busy < mostThreads) busy++;
  else if (queue.length < longestQueue) await new Promise<void>((resolve) => queue.push(resolve));
  else throw new SkillError('busy', 'too many jq filters wait for their turn', { hint: 'Try again in a few seconds.' });
  try {
    return await onThread(call);
  } finally {
    const next = queue.shift();
    if (next === undefined) busy--;
    else next();
  }
}

async function onThread(call: JqCall): Promise<JqAnswer> {
  const worker = idle.pop() ?? (await startThread());
  worker.ref();
  const longestMs = leastMs + Math.ceil(call.input.length / charactersPerMs);
  try {
    worker.postMessage(call);
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(longestMs) })) as [JqAnswer];
    worker.unref();
    idle.push(worker);
    return answer;
  } catch (error) {
    void worker.terminate();
    const isLate = error instanceof Error && error.name === 'AbortError';
    // jq aborts where memory or its stack is used up.
    const what = isLate ? `did not finish within ${longestMs} ms` : 'needs too much memory, or recurses too deeply';
    throw filterError(what, narrower);
  }
}

async function startThread(): Promise<Worker> {
  const program = packageFile('dist/cli/jq.mjs');
  if (program === undefined) {
    throw new SkillError('unavailable', 'jq is not part of this installation', {
      hint: 'Leave jq and format out, or install the package repertoire as it is published',
    });
  }
  // It gets no environment, and what it prints when it aborts is of use to nobody.
  const worker = new Worker(program, { workerData: limits, env: {}, execArgv: [], stdout: true, stderr: true });
  await once(worker, 'message');
  return worker;
}
