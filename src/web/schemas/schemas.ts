import type { OperationName, OutputOf } from '../operations.ts';
import type { SessionState } from '../shapes.ts';
import { browse, inspect, read, why } from './browsing.ts';
import { choice, flag, object, type Schema, text } from './build.ts';
import { components } from './components.ts';
import { grant, grants, revoke, run, tools } from './running.ts';
import { search } from './searching.ts';
import { activity, audit, type DoctorAnswer, doctor, health, statistics } from './watching.ts';

const session = object<SessionState>({
  signedIn: flag(),
  mode: choice(['full', 'read']),
  version: text(),
});

/** What is answered over the web, where a log is not followed. */
type AnswerOf<N extends OperationName> = N extends 'doctor'
  ? DoctorAnswer
  : Exclude<OutputOf<N>, { readonly what: 'following' }>;

/** What answers look like. The compiler holds it against their types, and a test against real answers. */
export const schemas = {
  outputs: {
    browse,
    search,
    inspect,
    read,
    why,
    tools,
    grants,
    audit,
    activity,
    statistics,
    doctor,
    health,
    run,
    grant,
    revoke,
  } satisfies { readonly [N in OperationName]: Schema<AnswerOf<N>> },
  session,
  components,
};
