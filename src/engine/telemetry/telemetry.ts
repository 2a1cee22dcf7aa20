import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { attempt } from '../../core/attempt.ts';
import { SkillError } from '../../core/errors.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import type { Metric } from '../../core/telemetry.ts';
import { version } from '../../core/version.ts';
import type { Engine, Request } from '../engine.ts';
import { figuresOf } from './figures.ts';
import {
  type Attributes,
  createSender,
  type FinishedSpan,
  metricsRequest,
  type SpanKind,
  traceRequest,
} from './otlp.ts';

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

export interface Work {
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
