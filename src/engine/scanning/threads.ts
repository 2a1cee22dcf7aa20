import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../core/disk/package-file.ts';
import { type ErrorCode, reasonOf, SkillError } from '../../core/errors.ts';
import { type ScanOptions, scanFolder } from '../../get/scan/scan.ts';
import type { ScanReport } from '../../get/scan/types.ts';
import type { FolderDigest } from '../../run/policy/digest.ts';

/** A folder to scan, with the digests that its files must have. */
export interface ScanJob {
  readonly folder: string;
  readonly known: FolderDigest;
}

/** The answer of a thread to a job: a report, or why there is none. */
export type ThreadAnswer =
  | { readonly report: ScanReport; readonly problem?: undefined }
  | { readonly problem: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } };

/** Threads that scan skills side by side. They keep the process alive until they are ended. */
export interface ScanThreads {
  /** Scans a folder. Rejects where the thread dies or takes too long over it; other folders are not affected. */
  scan(job: ScanJob): Promise<ScanReport>;
  /** Starts a thread ahead of the first job, so that it has loaded by then. */
  prepare(): void;
  /** Says how many skills are to come: the more, the more threads. */
  expect(count: number): void;
  end(): void;
}

interface ThreadLimits {
  readonly threads: number;
  /** Skills for which one more thread is worth its start: each has to translate the parsers for itself. */
  readonly skillsPerThread: number;
  /** Milliseconds after which a skill that waits gets a thread anyway: the others may be held up for long. */
  readonly extraThreadAfterMs: number;
  /** Milliseconds on the clock for one skill. The largest take seconds; more is no skill, or made to take for ever. */
  readonly ms: number;
}

const usual: ThreadLimits = {
  threads: Math.min(Math.max(availableParallelism(), 2), 8),
  skillsPerThread: 100,
  extraThreadAfterMs: 2000,
  ms: 5 * 60_000,
};

/** Skills to have under way at a time, so that every thread finds one more when it is ready. */
export const atOnce = 2 * usual.threads;

/** Skills up to which no thread is worth its start. */
const few = 3;

/**
 * Threads for that many skills, or for as many as turn out to come. Few are scanned here, and so are all in a library
 * that was bundled into something else.
 */
export function openScanThreads(options: ScanOptions, count?: number): ScanThreads {
  const program = count === undefined || count > few ? packageFile('dist/cli/scanner.cjs') : undefined;
  if (program === undefined) {
    return {
      scan: ({ folder, known }) => scanFolder(folder, { ...options, known }),
      prepare() {},
      expect() {},
      end() {},
    };
  }
  const threads = createScanThreads(program, options);
  threads.expect(count ?? 0);
  return threads;
}

export function createScanThreads(program: string, options: ScanOptions, limits = usual): ScanThreads {
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  const waiting: ((worker: Worker | undefined) => void)[] = [];
  /** Threads that have answered before. What they die of may be an earlier skill's doing. */
  const used = new WeakSet<Worker>();
  let [wanted, isEnded] = [1, false];

  function start(): Worker {
    // No options are passed on that were meant for this process, such as an inspector's port.
    const worker = new Worker(program, { workerData: options, execArgv: [] });
    worker.on('error', () => undefined); // told by its job, if it has one
    worker.once('exit', () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    all.add(worker);
    return worker;
  }

  function next(): Worker | undefined | Promise<Worker | undefined> {
    if (isEnded) return undefined;
    const worker = idle.pop() ?? (all.size < wanted ? start() : undefined);
    return worker ?? new Promise((resolve) => waiting.push(resolve));
  }

  /** Starts one more thread where somebody has waited for too long. */
  function watch(): NodeJS.Timeout {
    return setTimeout(() => {
      if (all.size < limits.threads) waiting.shift()?.(start());
    }, limits.extraThreadAfterMs);
  }

  function drop(worker: Worker): void {
    all.delete(worker);
    void worker.terminate();
  }

  function release(worker: Worker): void {
    const waiter = waiting.shift();
    if (waiter === undefined) idle.push(worker);
    else waiter(worker);
  }

  async function ask(worker: Worker, job: ScanJob): Promise<ThreadAnswer> {
    try {
      const answer = await answerOf(worker, job, limits.ms);
      used.add(worker);
      // Its end may have come in one turn with its answer; whatever is posted to it now would wait for ever.
      if (all.has(worker)) release(worker);
      else if (!isEnded) waiting.shift()?.(start());
      return answer;
    } catch (error) {
      drop(worker);
      if (error instanceof ThreadDied && used.has(worker) && !isEnded) return ask(start(), job);
      if (!isEnded) waiting.shift()?.(start());
      throw error;
    }
  }

  return {
    async scan(job) {
      const watching = watch();
      const worker = await next();
      clearTimeout(watching);
      if (worker === undefined) throw new SkillError('unreadable', 'it was not scanned: scanning was ended');
      const answer = await ask(worker, job).catch((error: unknown) => {
        throw new SkillError('unreadable', `it could not be scanned: ${reasonOf(error)}`, {
          hint: 'Look at its largest files, or move data out of its folder.',
          cause: error,
        });
      });
      if (answer.problem === undefined) return answer.report;
      const { code, message, hint } = answer.problem;
      throw new SkillError(code, message, hint === undefined ? {} : { hint });
    },
    prepare() {
      if (!isEnded && all.size === 0) idle.push(start());
    },
    expect(count) {
      wanted = Math.min(Math.max(1, Math.ceil(count / limits.skillsPerThread)), limits.threads);
      while (all.size < wanted && waiting.length > 0) waiting.shift()?.(start());
    },
    end() {
      isEnded = true;
      for (const waiter of waiting.splice(0)) waiter(undefined);
      for (const worker of all) void worker.terminate();
    },
  };
}

class ThreadDied extends Error {}

/** Gives a thread a job, and waits until it answers, dies or has had its time. */
async function answerOf(worker: Worker, job: ScanJob, ms: number): Promise<ThreadAnswer> {
  let giveUp = (_why: Error): void => undefined;
  const died = (error: Error): void => giveUp(new ThreadDied(`the thread that scans it died (${reasonOf(error)})`));
  const ended = (): void => giveUp(new ThreadDied('the thread that scans it was ended'));
  const timer = setTimeout(() => giveUp(new Error(`it takes more than ${ms / 1000} seconds`)), ms);
  try {
    return await new Promise<ThreadAnswer>((resolve, reject) => {
      giveUp = reject;
      worker.once('message', resolve).once('error', died).once('exit', ended);
      worker.postMessage(job);
    });
  } finally {
    clearTimeout(timer);
    worker.removeAllListeners('message').off('error', died).off('exit', ended);
  }
}
