import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { parseTrace, type TraceContext } from '../../../core/telemetry.ts';
import { cut } from '../../../core/text/text.ts';
import type { Identity } from '../../http/identity.ts';

/** Characters of the longest name, so that it fits in a line of a log. */
const longest = 80;

/**
 * The name that a client gives itself: with each request in the newer era, with the handshake in the older one. Anyone
 * can claim any name, so that it is for display and no more.
 */
export function clientNameOf(server: Server, { mcpReq }: Pick<ServerContext, 'mcpReq'>): string | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return shortName((envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as ClientInfo);
}

/** The caller that an access token named, where one did. Unlike a name, nobody can claim it. */
export function identityOf({ http }: Pick<ServerContext, 'http'>): Identity | undefined {
  return http?.authInfo?.extra?.['identity'] as Identity | undefined;
}

/** The name of a session's client, given once in the handshake. */
export function sessionNameOf(server: Server): string | undefined {
  return shortName(server.getClientVersion());
}

type ClientInfo = { readonly name?: unknown } | undefined;

function shortName(info: ClientInfo): string | undefined {
  if (typeof info?.name !== 'string') return undefined;
  return cut(info.name.slice(0, 10 * longest), longest) || undefined;
}

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
