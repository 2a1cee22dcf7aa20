import { parseTrace } from '../../core/telemetry.ts';
import type { Request } from '../../engine/engine.ts';
import type { Exchange } from '../http/exchange.ts';
import { callerOf as whoIs } from '../http/identity.ts';

/** The part of a request that says who asks, and how it is named elsewhere. */
export function callerOf({
  identity,
  id,
  request: { headers },
}: Exchange): Pick<Request, 'client' | 'subject' | 'groups' | 'scopes' | 'requestId' | 'trace'> {
  return {
    ...whoIs(identity),
    client: identity?.clientId,
    requestId: id,
    trace: parseTrace(headers['traceparent'], headers['tracestate']),
  };
}
