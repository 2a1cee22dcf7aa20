import { type AnswerStore, createAnswerStore, createSessionStore, type SessionStore } from '../../cluster/sessions.ts';
import { createVisitStore, type VisitStore } from '../../cluster/visits.ts';
import type { Engine } from '../engine.ts';
import { clusterOf } from './membership.ts';

export type { AnswerStore, KeptSession, SessionStore } from '../../cluster/sessions.ts';

/** The sessions of an engine's cluster. */
export function sessionsOf(engine: Engine): SessionStore {
  return createSessionStore(clusterOf(engine), optionsFor(engine));
}

/** The answers in these that were begun. */
export function answersOf(engine: Engine): AnswerStore {
  return createAnswerStore(clusterOf(engine), optionsFor(engine));
}

function optionsFor({ configuration, log }: Engine) {
  return {
    timeoutMs: configuration.values.sessionTimeout,
    onProblem: (reason: string) => log?.warn(`sessions are not shared with other servers just now: ${reason}`),
  };
}

export type { VisitStore } from '../../cluster/visits.ts';

/** Milliseconds after which a visit of the console ends on all servers. */
const timeoutMs = 24 * 60 * 60 * 1000;

/** The visits of the console in an engine's cluster, for servers that have this secret. */
export function visitsOf(engine: Engine, secret: string): VisitStore {
  return createVisitStore(clusterOf(engine), {
    secret,
    timeoutMs,
    onProblem: (reason) =>
      engine.log?.warn(`visits of the console are not shared with other servers just now: ${reason}`),
  });
}
