import { hostname } from 'node:os';
import type { Engine, Request } from '../engine.ts';

/** The part of a record that says for whom something was done, and by which server. */
export function whoAsks(
  { vitals }: Pick<Engine, 'vitals'>,
  { origin: by, client, subject, requestId, trace, onBehalf }: Request,
) {
  return {
    by,
    ...(client !== undefined && { client }),
    ...(subject !== undefined && { subject }),
    ...(requestId !== undefined && { request: requestId }),
    ...(trace !== undefined && { trace: trace.traceId }),
    // Commands that are typed have no server.
    ...(onBehalf === undefined && vitals !== undefined && { server: hostname() }),
    ...(onBehalf !== undefined && { server: onBehalf.server, worker: onBehalf.worker }),
  };
}
