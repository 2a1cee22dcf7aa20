import { hostname } from 'node:os';
import type { Engine, Request } from '../engine.ts';

/** The part of a record that says for whom something was done, and by which server. */
export function whoAsks({ vitals }: Pick<Engine, 'vitals'>, { origin: by, client, subject, onBehalf }: Request) {
  return {
    by,
    ...(client !== undefined && { client }),
    ...(subject !== undefined && { subject }),
    // Commands that are typed have no server.
    ...(onBehalf === undefined && vitals !== undefined && { server: hostname() }),
    ...(onBehalf !== undefined && { server: onBehalf.server, worker: onBehalf.worker }),
  };
}
