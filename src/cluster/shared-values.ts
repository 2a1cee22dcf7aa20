import { reasonOf } from '../core/errors.ts';
import type { Schema } from '../core/schema/schema.ts';
import { settlesWithin } from '../core/settles-within.ts';
import { type Keys, openKeys } from './buckets.ts';
import { type Cluster, unreachable } from './connection.ts';
import { patiently } from './patience.ts';
import { valueIn } from './values.ts';

/** Values that every server of a cluster has, by ids that servers make. */
export interface SharedValues<T> {
  /** Keeps a value, from now on for as long as values last; tells whether it was kept in time. */
  keep(id: string, value: T): Promise<boolean>;
  /** The value, if there is one. Rejects where that cannot be told: it must not be taken for ended then. */
  find(id: string): Promise<T | undefined>;
  forget(id: string): Promise<void>;
}

export interface SharedValuesOptions<T> {
  readonly bucket: string;
  readonly schema: Schema<T>;
  /** The ids that servers make. Others are not looked up: they would have to be valid keys. */
  readonly ids: RegExp;
  /** Milliseconds after which a value ends that is not kept again. */
  readonly timeoutMs: number;
  readonly onProblem: (reason: string) => void;
}

/** The outcome of using the bucket. */
type Used<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Milliseconds that a request waits for the cluster: without it, each server has its own values alone. */
const waitMs = 3000;

export function shareValues<T>(cluster: Cluster, options: SharedValuesOptions<T>): SharedValues<T> {
  const { bucket, schema, ids, timeoutMs, onProblem } = options;
  let opened: Promise<Keys> | undefined;
  const open = (): Promise<Keys> => {
    opened ??= cluster.connected().then((connection) => openKeys(connection, bucket, 1, timeoutMs));
    opened.catch(() => {
      opened = undefined; // the next one tries again
    });
    return opened;
  };

  /** Uses the bucket, if it can be reached in time. What is late is done all the same, while a new leader is found. */
  async function use<R>(act: (keys: Keys) => Promise<R>): Promise<Used<R>> {
    let used: Used<R> = { ok: false, problem: 'it does not answer' };
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
    async keep(id, value) {
      return (await use((keys) => keys.put(id, JSON.stringify(value)))).ok;
    },
    async find(id) {
      if (!ids.test(id)) return undefined;
      const found = await use((keys) => keys.get(id));
      if (!found.ok) throw unreachable(cluster.address, found.problem);
      const { value: entry } = found;
      if (entry?.operation !== 'PUT') return undefined;
      const value = valueIn(schema, entry.value);
      return value.ok ? value.value : undefined;
    },
    async forget(id) {
      await use((keys) => keys.purge(id));
    },
  };
}
