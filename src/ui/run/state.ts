import type { AuditRow } from '../../engine/operations/running/audit.ts';
import type { ExecutionResult, Usage } from '../../engine/running/types.ts';
import type { RunEvent } from '../../faces/web/shapes.ts';
import { ApiError } from '../api.ts';

type StreamName = 'stdout' | 'stderr';

/** A piece of a run's output. */
export interface Piece {
  readonly number: number;
  readonly stream: StreamName;
  readonly text: string;
}

/** The output of a run so far, as much of it as is shown. */
export interface Written {
  readonly pieces: readonly Piece[];
  /** Characters of the beginning that are no longer shown. */
  readonly dropped: number;
  /** Bytes of each stream. */
  readonly bytes: Readonly<Record<StreamName, number>>;
}

export const nothingWritten: Written = { pieces: [], dropped: 0, bytes: { stdout: 0, stderr: 0 } };

const pieceLength = 8000;
const mostLength = 200_000;
const mostPieces = 1000;

/** Counts the bytes that came, before anything is taken out of them. */
export function withCount(written: Written, stream: StreamName, text: string): Written {
  const bytes = written.bytes[stream] + new TextEncoder().encode(text).length;
  return { ...written, bytes: { ...written.bytes, [stream]: bytes } };
}

/** Adds to the output. Old pieces stay as they are, so that a page need not draw them again. */
export function withOutput(written: Written, stream: StreamName, text: string): Written {
  const pieces = [...written.pieces];
  for (let at = 0; at < text.length; ) {
    const last = pieces.at(-1);
    const isOpen = last?.stream === stream && last.text.length < pieceLength;
    const before = isOpen ? last.text : '';
    const part = text.slice(at, at + pieceLength - before.length);
    at += part.length;
    if (isOpen) pieces.pop();
    pieces.push({ number: isOpen ? last.number : (last?.number ?? 0) + 1, stream, text: before + part });
  }
  return trimmed({ ...written, pieces });
}

function trimmed({ pieces, dropped, bytes }: Written): Written {
  let length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  let [from, gone] = [0, dropped];
  while (length > mostLength || pieces.length - from > mostPieces) {
    const cut = pieces[from]?.text.length ?? 0;
    [from, gone, length] = [from + 1, gone + cut, length - cut];
  }
  return { pieces: pieces.slice(from), dropped: gone, bytes };
}

/** The state of a run. */
export interface RunState {
  readonly phase: 'none' | 'running' | 'ended';
  /** The key by which it can be cancelled; null before the server has sent it. */
  readonly key: string | null;
  /** Start time, by the clock of the page. */
  readonly startedAt: number;
  readonly isCancelling: boolean;
  readonly written: Written;
  readonly usage: Usage | null;
  /** Peak memory seen. */
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

type Cleaners = Readonly<Record<StreamName, (text: string) => string>>;

/** The state after an event. */
export function after(state: RunState, event: RunEvent, cleaners: Cleaners): RunState {
  switch (event.event) {
    case 'start':
      return { ...state, key: event.key };
    case 'output':
      return { ...state, written: withMore(state.written, event, cleaners) };
    case 'usage':
      return { ...state, usage: event.usage, peak: peakOf(state.peak, event.usage.memoryBytes) };
    case 'plan':
      return state; // a dry run runs nothing
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
