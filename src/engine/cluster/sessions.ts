import { createSessionStore, type SessionStore } from '../../cluster/sessions.ts';
import type { Engine } from '../engine.ts';
import { clusterOf } from './membership.ts';

export type { KeptSession, SessionStore } from '../../cluster/sessions.ts';

/** The sessions of an engine's cluster. */
export function sessionsOf(engine: Engine): SessionStore {
  return createSessionStore(clusterOf(engine), {
    timeoutMs: engine.configuration.values.sessionTimeout,
    onProblem: (reason) => engine.log?.warn(`sessions are not shared with other servers just now: ${reason}`),
  });
}
