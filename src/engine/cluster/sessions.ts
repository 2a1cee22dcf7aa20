import { type AnswerStore, createAnswerStore, createSessionStore, type SessionStore } from '../../cluster/sessions.ts';
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
