import type { Readable, Writable } from 'node:stream';
import { settlesWithin } from '../../core/settles-within.ts';
import type { Limits } from '../policy/types.ts';
import { type Cause, type Ending, endingOf, type SurvivedLimit, scratchFileLimit } from './ending.ts';
import type { Stream, Watcher } from './types.ts';

/** The end of a process tree that was started. */
export interface RunEnd {
  /** Exit code; null if the program was killed from outside, or never started. Killed inside is 128 and the signal. */
  readonly exitCode: number | null;
  /** The signal that ended the sandbox itself from outside. */
  readonly signal: string | null;
  /** Whether the program was started at all. If not, the sandbox failed, and `launcherError` says why. */
  readonly setUp: boolean;
  readonly launcherError: string;
  /** Whether a process in it was killed for lack of memory. */
  readonly memoryExceeded: boolean;
  /** Limits that it reached and that did not end it. */
  readonly reached?: readonly SurvivedLimit[];
}

/** A process tree that was started, in whatever kind of sandbox. */
export interface Running {
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Kills the whole tree. May be called more than once. */
  kill(): void;
  /** Settles when no process of it is left. Never rejects. */
  readonly ended: Promise<RunEnd>;
  /** Processor time of the whole tree so far; null if it is not counted. */
  cpuSeconds?(): number | null;
  /** Bytes of memory that the whole tree holds; null if unknown. Called only if somebody wants to know. */
  memoryBytes?(): number | null;
  /** Whether the tree holds more memory than it may; present only if no control group enforces that. */
  exceedsMemory?(): boolean;
  /** Number of files in its scratch folder. */
  scratchFiles?(): number;
  /** Limits that it has reached so far: the signs may be gone by its end. */
  reached?(): readonly SurvivedLimit[];
}

interface Supervision {
  readonly stdin: Uint8Array | null;
  readonly limits: Limits;
  readonly watcher: Watcher;
  /** Start of the run, by `performance.now()`. */
  readonly began: number;
}

/** Milliseconds that pipes may stay open once all their writers are gone, and that the kernel may take to kill. */
const drainMs = 2000;
const killMs = 5000;
const lookEveryMs = 250;
/** Polling interval where we enforce the memory limit ourselves: memory is taken faster than anything else. */
const lookAtMemoryEveryMs = 50;

/** Supervises a run to its end: never beyond its deadline and the time killing takes, nor beyond its output limit. */
export async function supervise(running: Running, supervision: Supervision): Promise<Ending> {
  const { limits, watcher, began } = supervision;
  const { signal } = watcher;
  let cause: Cause | null = null;
  let giveUp: (end: null) => void = () => undefined;
  const givenUp = new Promise<null>((settle) => {
    giveUp = settle;
  });
  const timers: NodeJS.Timeout[] = [];
  const stop = (why: Cause) => {
    if (cause !== null) return;
    cause = why;
    running.kill();
    timers.push(setTimeout(() => giveUp(null), killMs));
  };
  const cancel = () => stop({ reason: 'cancelled' });

  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  timers.push(
    setTimeout(() => stop({ reason: 'timeout' }), Math.max(0, limits.timeoutMs - (performance.now() - began))),
  );
  const reached = new Set<SurvivedLimit>();
  const look = (): void => {
    for (const limit of running.reached?.() ?? []) reached.add(limit);
    if ((running.cpuSeconds?.() ?? 0) > limits.cpuSeconds) stop({ reason: 'timeout', processor: true });
    if ((running.scratchFiles?.() ?? 0) > scratchFileLimit(limits)) stop({ reason: 'scratch_limit' });
    if (running.exceedsMemory?.()) stop({ reason: 'memory' });
  };
  const lookTimer = setInterval(look, running.exceedsMemory === undefined ? lookEveryMs : lookAtMemoryEveryMs);
  const gauge = watchUsage(running, watcher, began);
  const complaints = running.exceedsMemory === undefined ? null : createComplaints();
  if (complaints !== null) running.stderr.on('data', (bytes: Buffer) => complaints.add(bytes));
  const drained = Promise.all([
    pass(running.stdout, 'stdout', { limits, watcher, gauge, stop }),
    pass(running.stderr, 'stderr', { limits, watcher, gauge, stop }),
  ]);
  feed(running.stdin, supervision.stdin);

  const end = await Promise.race([running.ended, givenUp]);
  await settlesWithin(cause === null ? drainMs : 100, drained);
  signal.removeEventListener('abort', cancel);
  clearInterval(lookTimer);
  gauge?.end();
  for (const timer of timers) clearTimeout(timer);
  for (const stream of [running.stdin, running.stdout, running.stderr]) stream?.destroy();
  for (const limit of end?.reached ?? []) reached.add(limit);
  // A program that succeeds may write about such limits without having reached them.
  if (end?.setUp && end.exitCode !== 0) for (const limit of complaints?.limits() ?? []) reached.add(limit);
  const all = end === null ? null : { ...end, reached: [...reached] };
  return endingOf(cause, all, limits, performance.now() - began);
}

interface Passing {
  readonly limits: Limits;
  readonly watcher: Watcher;
  readonly gauge: Gauge | null;
  readonly stop: (why: Cause) => void;
}

/** Forwards output up to the exact byte of the limit; the first byte beyond it ends the run. */
function pass(stream: Readable, name: Stream, { limits, watcher, gauge, stop }: Passing): Promise<void> {
  let left = limits.outputBytes;
  stream.on('data', (bytes: Buffer) => {
    const piece = bytes.subarray(0, left);
    left -= piece.length;
    gauge?.wrote(piece.length);
    if (piece.length > 0) watcher.onOutput(name, piece);
    if (piece.length < bytes.length) {
      stream.pause();
      stop({ reason: 'output_limit', stream: name });
      stream.destroy();
    }
  });
  return new Promise((settle) => {
    if (stream.closed) settle();
    stream.once('close', settle);
    stream.on('error', () => settle());
  });
}

/** Writes the input. A program that does not read all of it just has had enough. */
function feed(stream: Writable | null, bytes: Uint8Array | null): void {
  if (stream === null) return;
  stream.on('error', () => undefined);
  stream.end(bytes ?? undefined);
}

/** Reports the usage of a run while it lasts. */
interface Gauge {
  /** Adds bytes of output. */
  wrote(bytes: number): void;
  /** Reports for the last time. */
  end(): void;
}

/**
 * First and longest interval between reports. Most runs are short: a young one is sampled more often, so that there is
 * something to report.
 */
const firstMs = 20;
const everyMs = 200;

/** Watches the usage of a run; null if nobody wants to know, and then nothing is measured. */
function watchUsage(running: Running, watcher: Watcher, began: number): Gauge | null {
  if (watcher.onUsage === undefined) return null;
  let outputBytes = 0;
  let memoryBytes: number | null = null;
  let peakMemoryBytes: number | null = null;
  let cpuSeconds: number | null = null; // never decreases: processes that have just ended are no longer counted
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    watcher.onUsage?.({ elapsedMs: performance.now() - began, memoryBytes, peakMemoryBytes, cpuSeconds, outputBytes });
  };
  const look = (nextMs: number) => {
    timer = setTimeout(look, nextMs, Math.min(2 * nextMs, everyMs)).unref();
    // Zero means not yet started, or just ended.
    memoryBytes = running.memoryBytes?.() || memoryBytes;
    peakMemoryBytes = greater(memoryBytes, peakMemoryBytes);
    cpuSeconds = greater(running.cpuSeconds?.() ?? null, cpuSeconds);
    tell();
  };

  look(firstMs);
  return {
    wrote: (bytes) => {
      outputBytes += bytes;
    },
    end: () => {
      clearTimeout(timer);
      tell();
    },
  };
}

function greater(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/**
 * Patterns of messages that programs and their runtimes print when the kernel refuses them something, in the words of
 * the C library or their own.
 */
const words: readonly (readonly [SurvivedLimit, RegExp])[] = [
  ['memoryBytes', /Cannot allocate memory|\bENOMEM\b|\bMemoryError\b|out of memory|\bbad_alloc\b/i],
  [
    'processes',
    /cannot fork|\b(?:fork|clone|thread|process)\b.*(?:Resource temporarily unavailable|\bEAGAIN\b)|can't start new thread/i,
  ],
];

/** Characters kept of a program's complaints: the end is enough. */
const mostText = 4096;

/**
 * Collects what a program writes, and finds the limits that it mentions. If no control group counts refusals, only the
 * program is notified of them, and it may end before it is polled.
 */
export function createComplaints(): { add(bytes: Uint8Array): void; limits(): readonly SurvivedLimit[] } {
  let text = '';
  return {
    add: (bytes) => {
      text = (text + Buffer.from(bytes).toString('latin1')).slice(-mostText);
    },
    limits: () => words.filter(([, pattern]) => pattern.test(text)).map(([limit]) => limit),
  };
}
