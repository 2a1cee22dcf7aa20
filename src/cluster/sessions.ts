import { anything, type Infer, literal, nullable, object, optional, text } from '../core/schema/schema.ts';
import type { Cluster } from './connection.ts';
import { type SharedValues, type SharedValuesOptions, shareValues } from './shared-values.ts';

/** A session of the handshake era, as any server needs it to continue. */
const sessionSchema = object({
  opening: anything('The request that opened it.'),
  owner: nullable(object({ issuer: text(), subject: text(), clientId: optional(text()) })),
});
export type KeptSession = Infer<typeof sessionSchema>;

/** Sessions that every server of a cluster can continue. */
export type SessionStore = SharedValues<KeptSession>;

const ids = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A mark for an answer that was begun and not sent to its end, under its session and its request. */
const answerSchema = object({ format: literal(1) });
export type AnswerStore = SharedValues<Infer<typeof answerSchema>>;

const answerIds = /^[\da-f-]{36}\.[\w-]{1,200}$/;

type Options = Pick<SharedValuesOptions<unknown>, 'timeoutMs' | 'onProblem'>;

export function createSessionStore(cluster: Cluster, options: Options): SessionStore {
  return shareValues(cluster, { ...options, bucket: cluster.names.sessions, schema: sessionSchema, ids });
}

/** The answers lie beside the sessions, and end with them. */
export function createAnswerStore(cluster: Cluster, options: Options): AnswerStore {
  return shareValues(cluster, { ...options, bucket: cluster.names.sessions, schema: answerSchema, ids: answerIds });
}
