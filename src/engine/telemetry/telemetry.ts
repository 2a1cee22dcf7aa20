import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { attempt } from '../../core/attempt.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import type { Metric, Sample, TraceContext } from '../../core/telemetry.ts';
import { version } from '../../core/version.ts';
import type { Engine, Request } from '../engine.ts';
import { figuresOf } from './figures.ts';

/** Traces and metrics of an engine, sent by OTLP to a collector. */
export interface Telemetry {
  /** Number of spans that could not be sent. */
  readonly dropped: number;
  /** Begins a piece of work, as part of whatever its request is part of. */
  begin<R extends Pick<Request, 'trace'>>(work: Work, request: R): Span<R>;
  /** Does a piece of work; one that throws has failed. */
  traced<R extends Pick<Request, 'trace'>, T>(work: Work, request: R, run: (traced: R) => Promise<T>): Promise<T>;
  /** Adds metrics of whoever serves. */
  addMetrics(read: () => readonly Metric[]): void;
  /** Sends what is left, once. */
  close(): Promise<void>;
}

interface Work {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

export interface Span<R> {
  /** The request for parts of the work: the one that was given, with the place of the work in the trace. */
  readonly request: R;
  end(attributes?: Attributes, failure?: string): void;
}

/** Spans that wait to be sent: more are dropped, and counted. */
const mostWaiting = 2048;
const mostAtOnce = 512;

/** Starts to send; does not where the address leads to no collector that takes JSON over HTTP. */
export function startTelemetry(engine: Engine, role: 'server' | 'worker'): Telemetry | undefined {
  const { log, configuration, environment } = engine;
  const { otlpEndpoint = '' } = configuration.values;
  const { env } = environment;
  const isHttp = URL.canParse(otlpEndpoint) && /^https?:$/.test(new URL(otlpEndpoint).protocol);
  const protocol = env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/json';
  if (env['OTEL_SDK_DISABLED'] === 'true') return undefined;
  if (!isHttp || !protocol.startsWith('http/')) {
    log?.warn('no traces and metrics are sent: OTLP is spoken over HTTP alone, with an http:// or https:// address');
    return undefined;
  }
  const urlOf = (signal: string): string => `${otlpEndpoint.replace(/\/$/, '')}/v1/${signal}`;
  const sender = createSender(pairsIn(env['OTEL_EXPORTER_OTLP_HEADERS']), log);
  const given = pairsIn(env['OTEL_RESOURCE_ATTRIBUTES']);
  const resource = {
    ...{ 'service.name': 'repertoire', 'service.version': version(), 'service.instance.id': instanceId() },
    ...{ 'host.name': hostname(), 'process.pid': process.pid, 'repertoire.role': role, ...given },
    ...(env['OTEL_SERVICE_NAME'] !== undefined && { 'service.name': env['OTEL_SERVICE_NAME'] }),
  };
  const waiting: FinishedSpan[] = [];
  const sources: (() => readonly Metric[])[] = [];
  const since = Date.now();
  const delayMs = msIn(env['OTEL_BSP_SCHEDULE_DELAY'], 5000);
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  /** Whether the collector is given time before the next attempt. */
  let isPausing = false;

  function add(span: FinishedSpan): void {
    if (waiting.length >= mostWaiting) {
      dropped += 1;
      return;
    }
    waiting.push(span);
    if (sending === undefined && !isPausing) arm(waiting.length >= mostAtOnce ? 0 : delayMs);
  }

  /** Sends after a while; a timer that is set already stays, unless there is enough for a batch. */
  function arm(ms: number): void {
    if (timer !== undefined && ms > 0) return;
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms).unref();
  }

  function flush(signal?: AbortSignal): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isPausing = false;
    sending ??= sendAll(signal).finally(() => {
      sending = undefined;
    });
    return sending;
  }

  async function sendAll(signal?: AbortSignal): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostAtOnce);
      const result = await sender.send(urlOf('traces'), traceRequest(resource, batch), signal);
      if (typeof result === 'number') {
        isPausing = true;
        timer = setTimeout(() => void flush(), result).unref();
        return;
      }
      waiting.splice(0, batch.length);
      if (result === 'refused') dropped += batch.length;
    }
  }

  async function sendMetrics(signal?: AbortSignal): Promise<void> {
    const metrics = [...(await figuresOf(engine)), ...sources.flatMap((read) => read())];
    await sender.send(urlOf('metrics'), metricsRequest(resource, metrics, since, Date.now()), signal);
  }

  const figures = setInterval(() => void sendMetrics(), msIn(env['OTEL_METRIC_EXPORT_INTERVAL'], 60_000)).unref();

  const telemetry: Telemetry = {
    get dropped() {
      return dropped;
    },
    begin({ name, kind, attributes }, request) {
      const { trace: parent } = request;
      const { traceId = randomId(16), isSampled = true, state } = parent ?? {};
      const context = { traceId, spanId: randomId(8), isSampled, state };
      const startMs = performance.timeOrigin + performance.now();
      return {
        request: { ...request, trace: context },
        end(more = {}, failure) {
          const endMs = performance.timeOrigin + performance.now();
          if (!isSampled) return;
          add({ name, kind, context, parent, startMs, endMs, attributes: { ...attributes, ...more }, failure });
        },
      };
    },
    async traced(work, request, run) {
      const span = telemetry.begin(work, request);
      try {
        const output = await run(span.request);
        span.end();
        return output;
      } catch (error) {
        const type = error instanceof SkillError ? error.code : 'internal';
        span.end({ 'error.type': type }, type);
        throw error;
      }
    },
    addMetrics: (read) => void sources.push(read),
    async close() {
      clearInterval(figures);
      const signal = AbortSignal.timeout(closeMs);
      // What is under way may have begun before the last spans were there.
      const sent = flush(signal).then(() => flush(signal));
      await settlesWithin(closeMs, Promise.allSettled([sent, sendMetrics(signal)]));
      clearTimeout(timer);
    },
  };
  return telemetry;
}

const closeMs = 1000;

function randomId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function instanceId(): string {
  return `${hostname()}-${process.pid}-${randomId(4)}`;
}

function msIn(text: string | undefined, usual: number): number {
  return /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : usual;
}

/** Pairs as the variables of OpenTelemetry have them: `name=value`, separated by commas, with percent signs. */
function pairsIn(list = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.split(',').flatMap((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const text = rest.join('=').trim();
      return name.trim() === '' || rest.length === 0
        ? []
        : [[name.trim(), attempt(() => decodeURIComponent(text), text)]];
    }),
  );
}

// The shapes are those of OTLP in JSON: ids in hex, 64-bit numbers as text, and the numbers of the enumerations.

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const spanKinds = { internal: 1, server: 2, client: 3 } as const;
type SpanKind = keyof typeof spanKinds;

/** A piece of work that is over. */
interface FinishedSpan {
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

function traceRequest(resource: Attributes, spans: readonly FinishedSpan[]): object {
  const scopeSpans = [{ scope: scope(), spans: spans.map(spanOf) }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
}

function metricsRequest(resource: Attributes, metrics: readonly Metric[], since: number, now: number): object {
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

function createSender(headers: Readonly<Record<string, string>>, log: Logger | undefined): Sender {
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
