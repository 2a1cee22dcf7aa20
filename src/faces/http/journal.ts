import type { LogFacts, Logger } from '../../core/log.ts';
import type { Metric } from '../../core/telemetry.ts';
import { parseTrace } from '../../core/telemetry.ts';
import type { Exchange } from './exchange.ts';

const windowMs = 10_000;
const linesPerWindow = 10;
/** Statuses that are not logged: honest clients meet 404 and 405 every day when probing; 500 was logged as an error. */
const routine: ReadonlySet<number> = new Set([404, 405, 500]);

/** Logs requests. A flood of refusals makes a few lines and a count, not a flood of lines. */
export interface Journal {
  /** Logs one line for an exchange that is over. */
  over(exchange: Exchange): void;
  /** Logs a refusal without an exchange: `kind` groups lines that are counted together. */
  refused(kind: string, message: string, facts: LogFacts): void;
  close(): void;
}

export function createJournal(log: Logger, requests: RequestCounts): Journal {
  const windows = new Map<string, Window>();

  function end(kind: string, window: Window): void {
    clearTimeout(window.timer);
    windows.delete(kind);
    const more = window.lines - linesPerWindow;
    if (more > 0) log.warn('more requests were refused', { kind, more });
  }

  function refused(kind: string, message: string, facts: LogFacts): void {
    let window = windows.get(kind);
    if (window === undefined) {
      const opened: Window = { lines: 0, timer: setTimeout(() => end(kind, opened), windowMs).unref() };
      windows.set(kind, opened);
      window = opened;
    }
    window.lines += 1;
    if (window.lines <= linesPerWindow) log.warn(message, facts);
  }

  return {
    refused,
    over(exchange) {
      requests.add(exchange);
      const { response, refusal } = exchange;
      const status = response.statusCode;
      if (refusal === undefined || routine.has(status)) log.debug(refusal?.message ?? 'answered', factsOf(exchange));
      else refused(String(status), refusal.message, { ...factsOf(exchange), ...senderOf(exchange) });
    },
    close() {
      for (const [kind, window] of windows) end(kind, window);
    },
  };
}

interface Window {
  lines: number;
  readonly timer: NodeJS.Timeout;
}

/** Facts for the log: the path without its query, which may hold private data. */
function factsOf({ request, response, refusal, path, id, startedAt }: Exchange): LogFacts {
  return {
    request: id,
    trace: parseTrace(request.headers['traceparent'])?.traceId,
    method: request.method,
    path: short(path),
    status: response.statusCode,
    ms: Math.round(performance.now() - startedAt),
    cut: response.writableFinished || refusal !== undefined ? undefined : true,
  };
}

/** The sender of a request: the two headers that decide, never `Authorization`. */
function senderOf({ request, refusal }: Exchange): LogFacts {
  const { host, origin } = request.headers;
  return { from: refusal?.from, host: short(host), origin: short(origin) };
}

function short(text: string): string;
function short(text: string | undefined): string | undefined;
function short(text: string | undefined): string | undefined {
  return text === undefined || text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

/** Metrics in the text format that Prometheus reads. */
export function metricsText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, type, help, values }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(sign: string): string {
  return sign === '\n' ? '\\n' : `\\${sign}`;
}

/** Upper bounds of the times that requests take, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const;

/** Counts of requests by status, and of the time they took. */
export interface RequestCounts {
  add(exchange: Exchange): void;
  metrics(): readonly Metric[];
}

export function countRequests(): RequestCounts {
  const statuses = new Map<number, number>();
  const buckets = bounds.map(() => 0);
  let [seconds, all] = [0, 0];
  return {
    add({ response: { statusCode }, startedAt }) {
      const took = (performance.now() - startedAt) / 1000;
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      for (const [at, bound] of bounds.entries()) if (took <= bound) buckets[at] = (buckets[at] ?? 0) + 1;
      seconds += took;
      all += 1;
    },
    metrics: () => [
      {
        name: 'repertoire_http_requests_total',
        type: 'counter',
        help: 'HTTP requests that are over, by status.',
        values: [...statuses].map(([status, value]) => ({ labels: { status: String(status) }, value })),
      },
      {
        name: 'repertoire_http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the first byte of a request to the end of its answer; streams last as long as they are open.',
        values: [
          ...bounds.map(
            (bound, at) => ({ suffix: '_bucket', labels: { le: String(bound) }, value: buckets[at] ?? 0 }) as const,
          ),
          { suffix: '_bucket', labels: { le: '+Inf' }, value: all },
          { suffix: '_sum', value: seconds },
          { suffix: '_count', value: all },
        ],
      },
    ],
  };
}
