import type { LogFacts, Logger } from '../../core/log.ts';
import { parseTrace } from '../../core/trace.ts';
import type { Exchange } from './exchange.ts';
import type { RequestCounts } from './metrics.ts';

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
