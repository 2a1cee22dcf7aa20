import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../core/disk/package-file.ts';
import { type ErrorCode, reasonOf, SkillError } from '../../core/errors.ts';
import type { ScanOptions } from '../../get/scan/scan.ts';
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
      scan: async (job) => (await import('./here.ts')).scanHere(job, options),
      prepare() {},
      expect() {},
      end() {},
    };
  }
  const threads = createScanThreads(program, options);
  threads.expect(count ?? 0);
  return threads;
}

/** A skill to scan, for whoever waits for the answer. */
interface Task {
  readonly job: ScanJob;
  isDone: boolean;
  settle(outcome: ThreadAnswer | Error): void;
}

/** A thread with what it was given: the first is what it does. */
interface Thread {
  readonly worker: Worker;
  readonly tasks: Task[];
  /** Whether it has answered before. What it dies of then may be an earlier skill's doing. */
  isUsed: boolean;
  timer?: NodeJS.Timeout;
}

/** Skills that a thread is given at a time. One more than it can do, so that it need not wait for the way here and back. */
const given = 2;

export function createScanThreads(program: string, options: ScanOptions, limits = usual): ScanThreads {
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let [wanted, isEnded] = [1, false];

  function start(): Thread {
    // No options are passed on that were meant for this process, such as an inspector's port.
    const worker = new Worker(program, { workerData: options, execArgv: [] });
    const thread: Thread = { worker, tasks: [], isUsed: false };
    let why = 'the thread that scans it was ended';
    worker.on('message', (answer: ThreadAnswer) => {
      if (!threads.has(thread)) return; // it was given up
      thread.isUsed = true;
      thread.tasks.shift()?.settle(answer);
      watch(thread);
      fill(thread);
    });
    worker.on('error', (error) => {
      why = `the thread that scans it died (${reasonOf(error)})`;
    });
    // Its last answers may come later than what it died of, but never later than its end.
    worker.on('exit', () => lose(thread, why));
    threads.add(thread);
    return thread;
  }

  /** Gives a thread as much as it may have: of what waits or, where nothing does, what another one has not begun. */
  function fill(thread: Thread): void {
    while (thread.tasks.length < given) {
      const task = waiting.shift() ?? (thread.tasks.length === 0 ? unbegun() : undefined);
      if (task === undefined) return;
      if (task.isDone) continue;
      thread.tasks.push(task);
      thread.worker.postMessage(task.job);
      if (thread.tasks.length === 1) watch(thread);
    }
  }

  function isBegun(task: Task): boolean {
    return task.isDone || [...threads].some(({ tasks }) => tasks[0] === task);
  }

  /** A task that lies behind another one at a thread. It cannot be taken back there: whoever is first answers it. */
  function unbegun(): Task | undefined {
    return [...threads].flatMap(({ tasks }) => tasks.slice(1)).find((task) => !isBegun(task));
  }

  /** Gives up on what a thread does, and on the thread, where it takes too long. */
  function watch(thread: Thread): void {
    clearTimeout(thread.timer);
    if (thread.tasks.length === 0) return;
    thread.timer = setTimeout(() => {
      thread.tasks.shift()?.settle(new Error(`it takes more than ${limits.ms / 1000} seconds`));
      lose(thread);
    }, limits.ms);
  }

  /** Goes on without a thread. Where it died of what it did first, that is at fault; whatever else it has is done elsewhere. */
  function lose(thread: Thread, why?: string): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    if (why !== undefined && !thread.isUsed) thread.tasks.shift()?.settle(new Error(why));
    waiting.unshift(...thread.tasks.filter(({ isDone }) => !isDone));
    if (waiting.length > 0 && !isEnded) fill(start());
  }

  /** Hands out what has come: to a thread that has nothing, to a new one while there may be more, or to one with room. */
  function handOut(): void {
    const all = [...threads];
    const thread =
      all.find(({ tasks }) => tasks.length === 0) ??
      (threads.size < wanted ? start() : all.find(({ tasks }) => tasks.length < given));
    if (thread !== undefined) fill(thread);
  }

  function answerTo(job: ScanJob): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      // Whatever else is under way may take for ever.
      const extra = setTimeout(() => {
        if (!isBegun(task) && threads.size < limits.threads) fill(start());
      }, limits.extraThreadAfterMs);
      const task: Task = {
        job,
        isDone: false,
        settle(outcome) {
          task.isDone = true;
          clearTimeout(extra);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      waiting.push(task);
      handOut();
    });
  }

  return {
    async scan(job) {
      if (isEnded) throw new SkillError('unreadable', 'it was not scanned: scanning was ended');
      const answer = await answerTo(job).catch((error: unknown) => {
        throw new SkillError('unreadable', `it could not be scanned: ${reasonOf(error)}`, {
          hint: 'Look at its largest files, or move data out of its folder.',
          cause: error,
        });
      });
      if (answer.problem === undefined) return ofThese(answer.report, job);
      const { code, message, hint } = answer.problem;
      throw new SkillError(code, message, hint === undefined ? {} : { hint });
    },
    prepare() {
      if (!isEnded && threads.size === 0) start();
    },
    expect(count) {
      wanted = Math.min(Math.max(1, Math.ceil(count / limits.skillsPerThread)), limits.threads);
      while (threads.size < wanted && (waiting.length > 0 || unbegun() !== undefined)) fill(start());
    },
    end() {
      isEnded = true;
      const unanswered = [...waiting.splice(0), ...[...threads].flatMap(({ tasks }) => tasks)];
      for (const task of unanswered) task.settle(new Error('scanning was ended'));
      for (const thread of threads) lose(thread);
    },
  };
}

/** The report on a job; one on other files would say nothing of these. */
function ofThese(report: ScanReport, { known }: ScanJob): ScanReport {
  if (report.digest === known.digest) return report;
  throw new SkillError('unreadable', 'it could not be scanned: the answer is about other files');
}
