/** A metric in the sense of Prometheus, with a value for each set of labels. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly values: readonly Sample[];
}

export interface Sample {
  /** Added to the name, for the parts of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The place of a piece of work in a distributed trace, as W3C Trace Context has it. */
export interface TraceContext {
  /** The id that all work for one request shares, in hex. */
  readonly traceId: string;
  /** The id of this piece of work. */
  readonly spanId: string;
  /** Whether anybody wants to see the trace. */
  readonly isSampled: boolean;
  /** Notes of other tracing systems, which are handed on as they are. */
  readonly state?: string | undefined;
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;
const longestState = 512;

/** Parses `traceparent` and `tracestate`. What is not as the standard has it begins no trace, and fails nothing. */
export function parseTrace(parent: unknown, state?: unknown): TraceContext | undefined {
  if (typeof parent !== 'string' || parent.length > longestState) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = shape.exec(parent) ?? [];
  // Later versions may add something at the end; the first has nothing there.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  const isState = typeof state === 'string' && state.length <= longestState && /^[\x20-\x7e]+$/.test(state);
  return { traceId, spanId, isSampled, ...(isState && { state }) };
}

/** The `traceparent` for work that is part of the work at this place. */
export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
