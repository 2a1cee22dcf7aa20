import { attempt } from '../../core/attempt.ts';
import { createStyledOutput, type Look, type Styled } from '../../core/text/plain-output.ts';
import type { AuditRow } from '../../engine/operations/running/audit.ts';
import type { OutputOutput } from '../../engine/operations/running/output.ts';
import type { Kept } from '../../engine/running/output.ts';
import type { ExecutionResult, Usage } from '../../engine/running/types.ts';
import type { RunEvent } from '../../faces/web/shapes.ts';
import { ApiError } from '../api.ts';

type StreamName = 'stdout' | 'stderr';

/** A piece of a run's output, of one stream and one look. */
export interface Piece {
  readonly number: number;
  readonly stream: StreamName;
  readonly look: Look;
  readonly text: string;
}

/** The output of a run so far, as much of it as is shown. */
export interface Written {
  readonly pieces: readonly Piece[];
  /** Bytes of the beginning that are no longer shown. */
  readonly dropped: number;
  /** Bytes of each stream. */
  readonly bytes: Readonly<Record<StreamName, number>>;
}

export const nothingWritten: Written = { pieces: [], dropped: 0, bytes: { stdout: 0, stderr: 0 } };

const pieceLength = 8000;
const mostLength = 1_000_000;
const mostPieces = 4000;

/** Counts bytes as the server counts them: before anything is taken out of them or put in their place. */
export function withCount(written: Written, stream: StreamName, bytes: number): Written {
  return { ...written, bytes: { ...written.bytes, [stream]: written.bytes[stream] + bytes } };
}

/** Adds to the output. Old pieces stay as they are, so that a page need not draw them again. */
export function withOutput(written: Written, stream: StreamName, styled: readonly Styled[]): Written {
  const pieces = [...written.pieces];
  for (const { text, look } of styled) {
    for (let at = 0; at < text.length; ) {
      const last = pieces.at(-1);
      const isOpen = last?.stream === stream && last.look === look && last.text.length < pieceLength;
      const before = isOpen ? last.text : '';
      const part = text.slice(at, at + pieceLength - before.length);
      at += part.length;
      if (isOpen) pieces.pop();
      pieces.push({ number: isOpen ? last.number : (last?.number ?? 0) + 1, stream, look, text: before + part });
    }
  }
  return trimmed({ ...written, pieces });
}

function trimmed({ pieces, dropped, bytes }: Written): Written {
  let length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  let [from, gone] = [0, dropped];
  while (length > mostLength || pieces.length - from > mostPieces) {
    const { text = '' } = pieces[from] ?? {};
    [from, gone, length] = [from + 1, gone + new TextEncoder().encode(text).length, length - text.length];
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
  /** Output that the server keeps; null where it keeps none. */
  readonly kept: Kept | null;
  /** The output as data; undefined where it is none. */
  readonly value: unknown;
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
  kept: null,
  value: undefined,
  error: null,
};

type Cleaners = Readonly<Record<StreamName, (text: string) => readonly Styled[]>>;

export function createCleaners(): Cleaners {
  return { stdout: createStyledOutput(), stderr: createStyledOutput() };
}

/** The state after an event. */
export function after(state: RunState, event: RunEvent, cleaners: Cleaners): RunState {
  switch (event.event) {
    case 'start':
      return { ...state, key: event.key };
    case 'output': {
      const written = withCount(state.written, event.stream, event.bytes);
      return { ...state, written: withOutput(written, event.stream, cleaners[event.stream](event.text)) };
    }
    case 'usage':
      return { ...state, usage: event.usage, peak: peakOf(state.peak, event.usage.memoryBytes) };
    case 'plan':
      return state; // a dry run runs nothing
    case 'end':
      return { ...state, phase: 'ended', ...endOf(event) };
    case 'error':
      return { ...state, phase: 'ended', error: new ApiError(0, event.error) };
  }
}

function endOf({ result, record, kept }: Extract<RunEvent, { readonly event: 'end' }>): Partial<RunState> {
  return { result, record, kept, value: result.value };
}

function peakOf(before: number | null, now: number | null): number | null {
  return now === null ? before : Math.max(before ?? 0, now);
}

/** The state of a run that ended earlier, from its record and the output that is kept of it. */
export function pastRun(record: AuditRow, output: OutputOutput | null): RunState {
  const cleaners = createCleaners();
  const { pieces = [], before = 0, stdoutBytes = 0, stderrBytes = 0 } = output ?? {};
  const shown = pieces.reduce<Written>(
    (written, { stream, text }) => withOutput(written, stream, cleaners[stream](text)),
    { pieces: [], dropped: before, bytes: { stdout: stdoutBytes, stderr: stderrBytes } },
  );
  const value =
    before === 0 ? dataIn(pieces.map(({ stream, text }) => (stream === 'stdout' ? text : '')).join('')) : undefined;
  return { ...noRun, phase: 'ended', record, kept: output, written: shown, value };
}

/** Characters of the longest text that is read as data, as on the server. */
const longestData = 250_000;

function dataIn(text: string): unknown {
  if (text.length > longestData || !/^\s*[[{]/.test(text)) return undefined;
  return attempt(() => JSON.parse(text), undefined);
}
