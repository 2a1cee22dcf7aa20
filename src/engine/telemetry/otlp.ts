import { reasonOf } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Metric, Sample, TraceContext } from '../../core/telemetry.ts';
import { version } from '../../core/version.ts';

// The shapes are those of OTLP in JSON: ids in hex, 64-bit numbers as text, and the numbers of the enumerations.

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const spanKinds = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof spanKinds;

/** A piece of work that is over. */
export interface FinishedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: TraceContext;
  readonly parent: TraceContext | undefined;
  /** Beginning and end, in milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** The kind of failure; missing where there was none. */
  readonly failure: string | undefined;
}

const scope = (): object => ({ name: 'repertoire', version: version() });

export function traceRequest(resource: Attributes, spans: readonly FinishedSpan[]): object {
  const scopeSpans = [{ scope: scope(), spans: spans.map(spanOf) }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
}

export function metricsRequest(resource: Attributes, metrics: readonly Metric[], since: number, now: number): object {
  const scopeMetrics = [{ scope: scope(), metrics: metrics.map((metric) => metricOf(metric, since, now)) }];
  return { resourceMetrics: [{ resource: { attributes: attributesOf(resource) }, scopeMetrics }] };
}

function spanOf({ name, kind, context, parent, startMs, endMs, attributes, failure }: FinishedSpan): object {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.state !== undefined && { traceState: context.state }),
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    ...{ name, kind: spanKinds[kind], startTimeUnixNano: nanos(startMs), endTimeUnixNano: nanos(endMs) },
    attributes: attributesOf(attributes),
    status: failure === undefined ? {} : { code: 2, message: failure },
  };
}

const cumulative = 2;

function metricOf({ name, type, help, values }: Metric, since: number, now: number): object {
  const times = { startTimeUnixNano: nanos(since), timeUnixNano: nanos(now) };
  const points = values.map(({ labels = {}, value }) => ({
    ...{ attributes: attributesOf(labels), ...times, asDouble: value },
  }));
  const told = { name, description: help };
  if (type === 'gauge') return { ...told, gauge: { dataPoints: points } };
  const total = { aggregationTemporality: cumulative };
  if (type === 'counter') return { ...told, sum: { ...total, isMonotonic: true, dataPoints: points } };
  return { ...told, histogram: { ...total, dataPoints: [{ attributes: [], ...times, ...histogramOf(values) }] } };
}

/** The parts of a histogram. Prometheus counts what is below each bound, and OTLP what is between two. */
function histogramOf(values: readonly Sample[]): object {
  const buckets = values.filter(({ suffix }) => suffix === '_bucket');
  const bounds = buckets.map(({ labels }) => Number(labels?.['le'])).filter(Number.isFinite);
  const counts = buckets.map(({ value }, at) => String(value - (buckets[at - 1]?.value ?? 0)));
  const part = (wanted: Sample['suffix']): number => values.find(({ suffix }) => suffix === wanted)?.value ?? 0;
  return { count: String(part('_count')), sum: part('_sum'), bucketCounts: counts, explicitBounds: bounds };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: anyValue(value) },
  );
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

/** Sends JSON to a collector, and says in the log when that begins to fail, and when it works again. */
interface Sender {
  /** Resolves with whether it was taken, should be sent again after some milliseconds, or never. */
  send(url: string, body: object, signal?: AbortSignal): Promise<'sent' | 'refused' | number>;
}

const timeoutMs = 10_000;
const [firstPauseMs, longestPauseMs] = [1000, 60_000];
/** Statuses of a collector that can be tried again later. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export function createSender(headers: Readonly<Record<string, string>>, log: Logger | undefined): Sender {
  let failures = 0;

  function failed(url: string, reason: string): void {
    failures += 1;
    if (failures === 1) log?.warn('traces and metrics cannot be sent', { to: url, reason });
  }

  return {
    async send(url, body, signal) {
      try {
        const answer = await fetch(url, {
          method: 'POST',
          redirect: 'error',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
        });
        await answer.body?.cancel();
        if (answer.ok) {
          if (failures > 0) log?.info('traces and metrics are sent again', { to: url, failures });
          failures = 0;
          return 'sent';
        }
        failed(url, `the collector answered with ${answer.status}`);
        return passing.has(answer.status) ? pauseAfter(failures, answer.headers.get('retry-after')) : 'refused';
      } catch (error) {
        failed(url, reasonOf(error));
        return pauseAfter(failures, null);
      }
    },
  };
}

/** The pause after some failures in a row, of random length, so that not all come back at once. */
function pauseAfter(failures: number, wish: string | null): number {
  const wished = /^\d{1,5}$/.test(wish ?? '') ? Number(wish) * 1000 : 0;
  const usual = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs) * (0.5 + Math.random() / 2);
  return Math.max(Math.min(wished, longestPauseMs), usual);
}
