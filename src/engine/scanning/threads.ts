import { availableParallelism } from 'node:os';
import { packageFile } from '../../core/disk/package-file.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import { createThreadPool, PoolEnded, startThread, ThreadDied } from '../../core/thread-pool.ts';
import type { ScanOptions } from '../../get/scan/scan.ts';
import type { ScanReport } from '../../get/scan/types.ts';
import type { FolderDigest } from '../../run/policy/digest.ts';

/** A folder to scan, with the digests that its files must have. */
export interface ScanJob {
  readonly folder: string;
  readonly known: FolderDigest;
}

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

export function createScanThreads(program: string, options: ScanOptions, limits = usual): ScanThreads {
  const pool = createThreadPool<ScanJob, ScanReport>({
    start: () => startThread(program, options),
    threads: limits.threads,
    extraThreadAfterMs: limits.extraThreadAfterMs,
    keepsAlive: true,
    retriesUsed: true,
    late: async (_job, answer) =>
      (await settlesWithin(limits.ms, answer)) ? null : new Error(`it takes more than ${limits.ms / 1000} seconds`),
  });
  pool.resize(1);
  return {
    scan: (job) =>
      pool.run(job).catch((error: unknown) => {
        throw error instanceof SkillError ? error : notScanned(error);
      }),
    prepare: pool.prepare,
    expect: (count) => pool.resize(Math.max(1, Math.ceil(count / limits.skillsPerThread))),
    end: pool.end,
  };
}

function notScanned(error: unknown): SkillError {
  if (error instanceof PoolEnded) return new SkillError('unreadable', 'it was not scanned: scanning was ended');
  const why = error instanceof ThreadDied ? `the thread that scans it ${error.message}` : reasonOf(error);
  return new SkillError('unreadable', `it could not be scanned: ${why}`, {
    hint: 'Look at its largest files, or move data out of its folder.',
    cause: error,
  });
}
