import { JetStreamApiCodes, JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { failureOf, lacksStreams } from './patience.ts';

/** Kinds of what is kept, for those who need not know the library. */
export type Keys = KV;
export type Bundles = ObjectStore;

/** Copies that are kept of everything, where there are nodes enough: one can be lost at any time. */
const copies = 3;
/** Codes of JetStream for a cluster with fewer nodes than copies, and for a node that is in none. */
const tooFewNodes: readonly number[] = [10_005, 10_074];

/** Milliseconds that one request may take: where a leader has died, it is asked again until there is a new one. */
export const requestTimeoutMs = 3000;

/**
 * Opens a bucket of keys and values, and makes it where it is missing; with a `ttl`, values end after so many
 * milliseconds, also where it was made for another time.
 */
export async function openKeys(connection: NatsConnection, name: string, history: number, ttl = 0): Promise<KV> {
  return inStreams(connection, async () => {
    const manager = new Kvm(streamsOf(connection));
    const keys = await withCopies((replicas) => manager.create(name, { replicas, history, ttl, allow_direct: false }));
    await complete(connection, `KV_${name}`, ttl);
    return keys;
  });
}

/** Opens an object store, and makes it where it is missing; what it holds may go away after a time. */
export async function openObjects(connection: NatsConnection, name: string, keptMs?: number): Promise<ObjectStore> {
  return inStreams(connection, async () => {
    const manager = new Objm(streamsOf(connection));
    const objects = await withCopies((replicas) =>
      manager.create(name, { replicas, ...(keptMs !== undefined && { ttl: nanos(keptMs) }) }),
    );
    await complete(connection, `OBJ_${name}`);
    return objects;
  });
}

/** The state of a bucket of keys: its last change, and the nodes that keep a copy. Null where there is no such bucket. */
export async function copiesOf(connection: NatsConnection, name: string): Promise<BucketState | null> {
  const manager = await inStreams(connection, () => jetstreamManager(connection, { timeout: requestTimeoutMs }));
  try {
    const { state, cluster } = await manager.streams.info(`KV_${name}`);
    const leader = cluster?.leader === undefined ? [] : [{ node: cluster.leader, leads: true, lag: 0, silentMs: 0 }];
    return { revision: state.last_seq, copies: [...leader, ...(cluster?.replicas ?? []).map(copyOf)] };
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null;
    throw error;
  }
}

export interface BucketState {
  readonly revision: number;
  readonly copies: readonly Copy[];
}

/** One copy, on a node. */
interface Copy {
  readonly node: string;
  readonly leads: boolean;
  /** Changes that it does not have yet. */
  readonly lag: number;
  /** Milliseconds since the leader has heard of it; null where it is not there. */
  readonly silentMs: number | null;
}

/** A peer as JetStream tells of it, which leaves out what is zero or false. */
interface Peer {
  readonly name: string;
  /** Nanoseconds since it was heard of. */
  readonly active: number;
  readonly lag?: number;
  readonly offline?: boolean;
}

function copyOf({ name: node, active, lag = 0, offline = false }: Peer): Copy {
  return { node, leads: false, lag, silentMs: offline ? null : Math.round(active / 1e6) };
}

function streamsOf(connection: NatsConnection) {
  return jetstream(connection, { timeout: requestTimeoutMs });
}

/** Makes something with as many copies as the cluster has nodes for. What is there already stays as it is. */
export async function withCopies<T>(make: (replicas: number) => Promise<T>): Promise<T> {
  try {
    return await make(copies);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || !tooFewNodes.includes(error.code)) throw error;
    return make(1);
  }
}

/** Uses what a cluster keeps. A node without JetStream that has no others beside it is not waited for. */
export async function inStreams<T>(connection: NatsConnection, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const isFinal = lacksStreams(error) && connection.info?.jetstream !== true && isAlone(connection);
    throw isFinal ? failureOf(error) : error;
  }
}

/** Whether a node is in no cluster. Such a node can have no copies elsewhere, though some versions take the number for it. */
function isAlone({ info }: NatsConnection): boolean {
  return info?.cluster === undefined;
}

/** Milliseconds between two attempts to give a stream the copies that it lacks. */
const completeMs = 30_000;
/** Streams that lack copies, and are looked at again. */
const incomplete = new Set<string>();

/**
 * Gives a stream the copies that it lacks, and its values the time that they should last. It may have been made while
 * nodes were missing: then it is looked at again until they are there. Whoever may not change it leaves it as it is.
 * Returns the number of copies.
 */
export async function complete(connection: NatsConnection, stream: string, ttl = 0): Promise<number> {
  const { streams } = await jetstreamManager(connection, { timeout: requestTimeoutMs, checkAPI: false });
  const { config } = await streams.info(stream);
  const maxAge = nanos(ttl);
  if (ttl > 0 && config.max_age !== maxAge) {
    const terms = { max_age: maxAge, duplicate_window: Math.min(config.duplicate_window, maxAge) };
    await streams.update(stream, terms).catch(() => {});
  }
  if (isAlone(connection)) return 1;
  if (config.num_replicas >= copies) return config.num_replicas;
  const more = await streams.update(stream, { num_replicas: copies }).catch(() => null);
  if (more === null) completeLater(connection, stream);
  return more?.config.num_replicas ?? config.num_replicas;
}

function completeLater(connection: NatsConnection, stream: string): void {
  if (incomplete.has(stream)) return;
  incomplete.add(stream);
  setTimeout(() => {
    incomplete.delete(stream);
    if (!connection.isClosed()) void complete(connection, stream).catch(() => completeLater(connection, stream));
  }, completeMs).unref();
}
