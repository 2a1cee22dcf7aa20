import { constants } from 'node:os';
import { durationInWords, sizeInWords } from '../../core/text/quantities.ts';
import type { LimitName, Limits } from '../policy/types.ts';
import type { RunEnd } from './supervise.ts';
import type { Outcome, Stream } from './types.ts';

/** The end of a run, without the parts that are known before it starts. */
export type Ending = Omit<Outcome, 'enforcement' | 'denials'>;

/** The reason why we ended a run. */
export type Cause =
  | { readonly reason: 'cancelled' }
  | { readonly reason: 'timeout'; readonly processor?: true }
  /** The memory limit of the tree, enforced by us where no control group does it. */
  | { readonly reason: 'memory' }
  /** Too many empty files, whose memory is not counted with the rest. */
  | { readonly reason: 'scratch_limit' }
  | { readonly reason: 'output_limit'; readonly stream: Stream };

/** Returns the ending of a run; `end` is null if it could not be waited for. */
export function endingOf(cause: Cause | null, end: RunEnd | null, limits: Limits, durationMs: number): Ending {
  const killed = { exitCode: null, signal: 'SIGKILL', durationMs };
  if (end !== null && !end.setUp && cause === null) return engineError(end.launcherError, durationMs);
  if (end?.memoryExceeded && cause?.reason !== 'cancelled') {
    return { ...killed, reason: 'memory', limit: 'memoryBytes', message: memoryWords(limits) };
  }
  if (cause !== null) {
    const late = end === null ? '; it did not exit when it was killed, and may still be running' : '';
    const { reason } = cause;
    const limit = limitBehind(cause);
    const message = `${wordsFor(cause, limits)}${late}`;
    return { ...killed, reason, message, ...(limit !== null && { limit }) };
  }
  if (end === null) return engineError('it could not be waited for', durationMs);
  return endedByItself(end, limits, durationMs);
}

/** The ending of a run that could not be started at all. */
export function engineError(why: string, durationMs: number): Ending {
  const message = `the sandbox could not be set up: ${why === '' ? 'no error was reported' : why}`;
  return { reason: 'engine_error', exitCode: null, signal: null, message, durationMs };
}

function endedByItself(end: RunEnd, limits: Limits, durationMs: number): Ending {
  if (end.exitCode === null) {
    const message = `it was ended by something else${end.signal === null ? '' : ` (${end.signal})`}`;
    return { reason: 'lost', exitCode: null, signal: end.signal, message, durationMs };
  }
  const signal = signalOf(end.exitCode);
  const ending = { exitCode: end.exitCode, signal, durationMs };
  if (signal === 'SIGXCPU')
    return { ...ending, reason: 'timeout', limit: 'cpuSeconds', message: processorWords(limits) };
  if (signal === 'SIGKILL') return { ...ending, reason: 'lost', message: 'it was killed by something else' };
  const reached = new Set([...(signal === 'SIGXFSZ' ? ['fileBytes' as const] : []), ...(end.reached ?? [])]);
  return survived({ ...ending, reason: 'exited', message: null }, [...reached], limits);
}

/** A limit that refuses a program something and lets it continue. */
export type SurvivedLimit = keyof typeof survivable;

const survivable = {
  memoryBytes: {
    reason: 'memory',
    words: (limits: Limits) => `it was refused memory at the limit of ${sizeInWords(limits.memoryBytes)}`,
  },
  processes: {
    reason: 'process_limit',
    words: (limits: Limits) => `it tried to start more processes than the limit of ${limits.processes}`,
  },
  fileBytes: {
    reason: 'file_limit',
    words: (limits: Limits) => `a file was cut short at the limit of ${sizeInWords(limits.fileBytes)}`,
  },
  scratchBytes: {
    reason: 'scratch_limit',
    words: (limits: Limits) => `its scratch folder was full at the limit of ${sizeInWords(limits.scratchBytes)}`,
  },
} as const satisfies Partial<Record<LimitName, object>>;
export const survivedLimits = Object.keys(survivable) as SurvivedLimit[];

/** Turns an ending into a failure if a limit refused the program something, whatever the program itself reported. */
export function survived(ending: Ending, [limit, ...others]: readonly SurvivedLimit[], limits: Limits): Ending {
  if (limit === undefined) return ending;
  const message = [limit, ...others].map((one) => survivable[one].words(limits)).join('; ');
  return { ...ending, reason: survivable[limit].reason, limit, message };
}

/** Tells whether a run ended by itself, even if unsuccessfully. */
export function endedAlone({ reason, exitCode }: Ending): boolean {
  return reason === 'exited' || (exitCode !== null && Object.values(survivable).some((one) => one.reason === reason));
}

function limitBehind(cause: Cause): LimitName | null {
  switch (cause.reason) {
    case 'cancelled':
      return null;
    case 'timeout':
      return cause.processor ? 'cpuSeconds' : 'timeoutMs';
    case 'memory':
      return 'memoryBytes';
    case 'scratch_limit':
      return 'scratchBytes';
    case 'output_limit':
      return 'outputBytes';
  }
}

function wordsFor(cause: Cause, limits: Limits): string {
  switch (cause.reason) {
    case 'cancelled':
      return 'it was cancelled';
    case 'timeout':
      return cause.processor
        ? processorWords(limits)
        : `it took longer than the limit of ${durationInWords(limits.timeoutMs)}`;
    case 'memory':
      return memoryWords(limits);
    case 'scratch_limit':
      return `it made more files in its scratch folder than the limit of ${scratchFileLimit(limits)}`;
    case 'output_limit':
      return `it wrote more to ${cause.stream} than the limit of ${sizeInWords(limits.outputBytes)}`;
  }
}

/** Number of files that a scratch folder may hold: far more than there can be with content, which takes a page each. */
export function scratchFileLimit({ scratchBytes }: Limits): number {
  return Math.max(4096, Math.ceil(scratchBytes / 1024));
}

function memoryWords(limits: Limits): string {
  return `it used more memory than the limit of ${sizeInWords(limits.memoryBytes)}`;
}

function processorWords(limits: Limits): string {
  return `it used more processor time than the limit of ${durationInWords(limits.cpuSeconds * 1000)}`;
}

const signals = Object.entries(constants.signals);

/** The signal in an exit code: shells and sandboxes report signals as 128 plus their number. */
function signalOf(exitCode: number): string | null {
  return signals.find(([, number]) => number === exitCode - 128)?.[0] ?? null;
}
