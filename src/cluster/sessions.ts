import { reasonOf } from '../core/errors.ts';
import { anything, type Infer, nullable, object, optional, text } from '../core/schema/schema.ts';
import { settlesWithin } from '../core/settles-within.ts';
import { type Keys, openKeys } from './buckets.ts';
import type { Cluster } from './connection.ts';
import { valueIn } from './values.ts';

/** A session of the handshake era, as any server needs it to continue. */
const sessionSchema = object({
  opening: anything('The request that opened it.'),
  owner: nullable(object({ issuer: text(), subject: text(), clientId: optional(text()) })),
});
export type KeptSession = Infer<typeof sessionSchema>;

/** Sessions that every server of a cluster can continue. */
export interface SessionStore {
  /** Keeps a session, from now on for as long as one may be idle; resolves once it is kept, or cannot be. */
  keep(id: string, session: KeptSession): Promise<void>;
  find(id: string): Promise<KeptSession | undefined>;
  forget(id: string): Promise<void>;
}

export interface SessionStoreOptions {
  /** Milliseconds after which an idle session ends. */
  readonly timeoutMs: number;
  readonly onProblem: (reason: string) => void;
}

/** Milliseconds that a request waits for the store: without it, sessions work on their own server alone. */
const waitMs = 3000;
/** The ids that servers give. Others are not looked up: they would have to be valid keys. */
const idPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export function createSessionStore(cluster: Cluster, { timeoutMs, onProblem }: SessionStoreOptions): SessionStore {
  let opened: Promise<Keys> | undefined;
  const open = (): Promise<Keys> => {
    opened ??= cluster.connected().then((connection) => openKeys(connection, cluster.names.sessions, 1, timeoutMs));
    opened.catch(() => {
      opened = undefined; // the next one tries again
    });
    return opened;
  };

  /** Uses the store, if it can be reached in time. */
  async function use<T>(act: (keys: Keys) => Promise<T>): Promise<T | undefined> {
    let found: T | undefined;
    const done = open()
      .then(act)
      .then((value) => {
        found = value;
      })
      .catch((error: unknown) => onProblem(reasonOf(error)));
    if (!(await settlesWithin(waitMs, done))) onProblem('it does not answer');
    return found;
  }

  return {
    async keep(id, session) {
      await use((keys) => keys.put(id, JSON.stringify(session)));
    },
    async find(id) {
      if (!idPattern.test(id)) return undefined;
      const entry = await use((keys) => keys.get(id));
      if (entry?.operation !== 'PUT') return undefined;
      const session = valueIn(sessionSchema, entry.value);
      return session.ok ? session.value : undefined;
    },
    async forget(id) {
      await use((keys) => keys.purge(id));
    },
  };
}
