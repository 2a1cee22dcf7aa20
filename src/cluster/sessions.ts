import { reasonOf } from '../core/errors.ts';
import { anything, type Infer, nullable, object, optional, text } from '../core/schema/schema.ts';
import { settlesWithin } from '../core/settles-within.ts';
import { type Keys, openKeys } from './buckets.ts';
import { patiently } from './catalogue.ts';
import { type Cluster, unreachable } from './connection.ts';
import { valueIn } from './values.ts';

/** A session of the handshake era, as any server needs it to continue. */
const sessionSchema = object({
  opening: anything('The request that opened it.'),
  owner: nullable(object({ issuer: text(), subject: text(), clientId: optional(text()) })),
});
export type KeptSession = Infer<typeof sessionSchema>;

/** Sessions that every server of a cluster can continue. */
export interface SessionStore {
  /** Keeps a session, from now on for as long as one may be idle; tells whether it was kept in time. */
  keep(id: string, session: KeptSession): Promise<boolean>;
  /** The session, if there is one. Rejects where that cannot be told: it must not be taken for ended then. */
  find(id: string): Promise<KeptSession | undefined>;
  forget(id: string): Promise<void>;
}

export interface SessionStoreOptions {
  /** Milliseconds after which an idle session ends. */
  readonly timeoutMs: number;
  readonly onProblem: (reason: string) => void;
}

/** The outcome of using the store. */
type Used<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

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

  /** Uses the store, if it can be reached in time. What is late is done all the same, while a new leader is found. */
  async function use<T>(act: (keys: Keys) => Promise<T>): Promise<Used<T>> {
    let used: Used<T> = { ok: false, problem: 'it does not answer' };
    const done = patiently(async () => act(await open())).then(
      (value) => {
        used = { ok: true, value };
      },
      (error: unknown) => {
        used = { ok: false, problem: reasonOf(error) };
      },
    );
    await settlesWithin(waitMs, done);
    if (!used.ok) onProblem(used.problem);
    return used;
  }

  return {
    async keep(id, session) {
      return (await use((keys) => keys.put(id, JSON.stringify(session)))).ok;
    },
    async find(id) {
      if (!idPattern.test(id)) return undefined;
      const found = await use((keys) => keys.get(id));
      if (!found.ok) throw unreachable(cluster.address, found.problem);
      const { value: entry } = found;
      if (entry?.operation !== 'PUT') return undefined;
      const session = valueIn(sessionSchema, entry.value);
      return session.ok ? session.value : undefined;
    },
    async forget(id) {
      await use((keys) => keys.purge(id));
    },
  };
}
