import type { ServerContext } from '@modelcontextprotocol/server';
import { parseTrace, type TraceContext } from '../../../core/telemetry.ts';

/** The header that carries the id of a request in the log to the code that works on it. */
export const requestIdHeader = 'x-request-id';

/** The names of a request elsewhere: its id in the log, and its place in a trace, from the message or its header. */
export function traceIn({ http, mcpReq }: Pick<ServerContext, 'http' | 'mcpReq'>): {
  readonly requestId?: string | undefined;
  readonly trace?: TraceContext | undefined;
} {
  const headers = http?.req?.headers;
  const meta: Readonly<Record<string, unknown>> = mcpReq._meta ?? {};
  return {
    requestId: headers?.get(requestIdHeader) ?? undefined,
    trace:
      parseTrace(meta['traceparent'], meta['tracestate']) ??
      parseTrace(headers?.get('traceparent'), headers?.get('tracestate')),
  };
}
