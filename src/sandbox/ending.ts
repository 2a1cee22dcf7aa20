import { constants } from 'node:os';
import { durationInWords, sizeInWords } from '../kernel/quantities.ts';
import type { LimitName, Limits } from '../policy/types.ts';
import type { RunEnd } from './supervise.ts';
import type { Outcome, Stream } from './types.ts';

/** How a run ended, without what is known before it starts. */
export type Ending = Omit<Outcome, 'enforcement' | 'denials'>;

/** Why we ended a run. */
export type Cause =
  | { readonly reason: 'cancelled' }
  | { readonly reason: 'timeout'; readonly processor?: true }
  /** By the processes' own memory; or by files without content, which is not counted with the rest. */
  | { readonly reason: 'memory'; readonly of: 'processes' | 'scratch files' }
  | { readonly reason: 'output_limit'; readonly stream: Stream };

/** Null for the end where it could not be waited for. */
export function endingOf(cause: Cause | null, end: RunEnd | null, limits: Limits, durationMs: number): Ending {
  const killed = { exitCode: null, signal: 'SIGKILL', durationMs };
  if (end !== null && !end.setUp && cause === null) return engineError(end.launcherError, durationMs);
  if (end?.memoryExceeded && cause?.reason !== 'cancelled') {
    return { ...killed, reason: 'memory', limit: 'memoryBytes', message: memoryWords(limits) };
  }
  if (cause !== null) {
    const late = end === null ? '; it did not end when it was killed, and may still be ending' : '';
    const { reason } = cause;
    const limit = limitBehind(cause);
    const message = `${wordsFor(cause, limits)}${late}`;
    return { ...killed, reason, message, ...(limit !== null && { limit }) };
  }
  if (end === null) return engineError('it could not be waited for', durationMs);
  return endedByItself(end, limits, durationMs);
}

/** Where a run could not be started at all. */
export function engineError(why: string, durationMs: number): Ending {
  const message = `the sandbox could not be set up: ${why === '' ? 'it said nothing' : why}`;
  return { reason: 'engine_error', exitCode: null, signal: null, message, durationMs };
}

function endedByItself(end: RunEnd, limits: Limits, durationMs: number): Ending {
  if (end.exitCode === null) {
    const message = `something other than us ended it${end.signal === null ? '' : ` (${end.signal})`}`;
    return { reason: 'lost', exitCode: null, signal: end.signal, message, durationMs };
  }
  const signal = signalOf(end.exitCode);
  const ending = { exitCode: end.exitCode, signal, durationMs };
  if (signal === 'SIGXCPU')
    return { ...ending, reason: 'timeout', limit: 'cpuSeconds', message: processorWords(limits) };
  if (signal === 'SIGKILL') return { ...ending, reason: 'lost', message: 'something other than us killed it' };
  return { ...ending, reason: 'exited', message: null };
}

function limitBehind(cause: Cause): LimitName | null {
  switch (cause.reason) {
    case 'cancelled':
      return null;
    case 'timeout':
      return cause.processor ? 'cpuSeconds' : 'timeoutMs';
    case 'memory':
      return cause.of === 'processes' ? 'memoryBytes' : 'scratchBytes';
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
      return cause.of === 'processes'
        ? memoryWords(limits)
        : `it made more files in its scratch folder than the limit of ${scratchFileLimit(limits)}`;
    case 'output_limit':
      return `it wrote more to ${cause.stream} than the limit of ${sizeInWords(limits.outputBytes)}`;
  }
}

/** Far more than there can be with anything in them, of which each takes a page. */
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

/** Shells and sandboxes tell a signal by 128 and its number. */
function signalOf(exitCode: number): string | null {
  return signals.find(([, number]) => number === exitCode - 128)?.[0] ?? null;
}
