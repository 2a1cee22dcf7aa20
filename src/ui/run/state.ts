import type { AuditRow } from '../../engine/operations/audit.ts';
import type { ExecutionResult, Usage } from '../../engine/running/types.ts';
import type { RunEvent } from '../../web/shapes.ts';
import { ApiError } from '../api.ts';
import { nothingWritten, type StreamName, type Written, withCount, withOutput } from './output.ts';

/** How a run stands. */
export interface RunState {
  readonly phase: 'none' | 'running' | 'ended';
  /** By which it can be cancelled; null before the server has said. */
  readonly key: string | null;
  /** By the clock of the page. */
  readonly startedAt: number;
  readonly isCancelling: boolean;
  readonly written: Written;
  readonly usage: Usage | null;
  /** The most memory that was seen. */
  readonly peak: number | null;
  readonly result: ExecutionResult | null;
  readonly record: AuditRow | null;
  readonly error: Error | null;
}

export const noRun: RunState = {
  phase: 'none',
  key: null,
  startedAt: 0,
  isCancelling: false,
  written: nothingWritten,
  usage: null,
  peak: null,
  result: null,
  record: null,
  error: null,
};

export type Cleaners = Readonly<Record<StreamName, (text: string) => string>>;

/** The state after something has happened. */
export function after(state: RunState, event: RunEvent, cleaners: Cleaners): RunState {
  switch (event.event) {
    case 'start':
      return { ...state, key: event.key };
    case 'output':
      return { ...state, written: withMore(state.written, event, cleaners) };
    case 'usage':
      return { ...state, usage: event.usage, peak: peakOf(state.peak, event.usage.memoryBytes) };
    case 'plan':
      return state; // nothing is run for it
    case 'end':
      return { ...state, phase: 'ended', result: event.result, record: event.record };
    case 'error':
      return { ...state, phase: 'ended', error: new ApiError(0, event.error) };
  }
}

function withMore(
  written: Written,
  { stream, text }: Extract<RunEvent, { readonly event: 'output' }>,
  cleaners: Cleaners,
): Written {
  return withOutput(withCount(written, stream, text), stream, cleaners[stream](text));
}

function peakOf(before: number | null, now: number | null): number | null {
  return now === null ? before : Math.max(before ?? 0, now);
}
