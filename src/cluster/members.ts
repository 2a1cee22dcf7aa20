import type { NatsConnection } from '@nats-io/transport-node';
import { count, type Infer, list, literal, object, optional, text, time } from '../core/schema/schema.ts';
import { openKeys } from './buckets.ts';
import type { Cluster } from './connection.ts';
import { patiently } from './patience.ts';
import { valueIn } from './values.ts';
import { answersTo } from './workers/census.ts';
import { bytesOf, listen, subjectsIn, token, type WorkerFacts, workerSchema } from './workers/messages.ts';

/** Executions that wait at a server for workers of one kind. */
export const queueSchema = object({
  wants: text('The runtime, and the labels that a worker must have.'),
  waiting: count(),
  users: count('Those whom they are for: each gets a turn after the other.'),
});

/** A server, as it tells of itself. */
export const serverSchema = object({
  id: token,
  host: text(),
  pid: count(),
  version: text(),
  startedAt: time(),
  channel: text('The channel that it follows.'),
  revision: count('The revision of the catalogue that it has taken in.'),
  queues: list(queueSchema, 'What waits there for workers.'),
});
export type ServerFacts = Infer<typeof serverSchema>;

/** A sign of life, with all that is known of whoever gives it: it may be the last one. */
const beatSchema = object({ format: literal(1), worker: optional(workerSchema), server: optional(serverSchema) });

/** Milliseconds between two signs of life, and for how long the last one is remembered. */
const [beatMs, keptMs] = [5000, 10 * 60_000];

/** The facts of a member, of either kind. */
export type Facts = { readonly worker: WorkerFacts } | { readonly server: ServerFacts };

/** Gives signs of life until the connection is closed, and answers whoever asks. One that left in peace leaves no trace. */
export async function announce(cluster: Cluster, id: string, facts: () => Facts): Promise<void> {
  const connection = await cluster.connected();
  const { census, servers } = subjectsIn(cluster.names);
  const now = facts();
  listen(connection, 'worker' in now ? census : servers, (message) => {
    const told = facts();
    message.respond(bytesOf('worker' in told ? told.worker : told.server));
  });
  const keys = await patiently(() => openKeys(connection, cluster.names.members, 1, keptMs));
  const beat = async (): Promise<void> => {
    if (cluster.status.state === 'connected') await keys.put(id, JSON.stringify({ format: 1, ...facts() }));
  };
  const timer = setInterval(() => void beat().catch(() => {}), beatMs); // the next one says the same
  cluster.onClose(async () => {
    clearInterval(timer);
    await keys.purge(id);
  });
  await beat().catch(() => {});
}

/** A member, when it last gave a sign of life, and whether it answers. */
export type Member<F> = F & { readonly heartbeat: string | null; readonly isThere: boolean };

export interface Members {
  readonly servers: readonly Member<ServerFacts>[];
  readonly workers: readonly Member<WorkerFacts>[];
}

/** Asks all members who they are, and looks up those that no longer answer. */
export async function membersOf(cluster: Cluster, connection: NatsConnection): Promise<Members> {
  const subjects = subjectsIn(cluster.names);
  const [workers, servers, beats] = await Promise.all([
    answersTo(connection, subjects.census, workerSchema),
    answersTo(connection, subjects.servers, serverSchema),
    beatsIn(cluster, connection),
  ]);
  const { workers: knownWorkers, servers: knownServers } = beats;
  // A worker is known by its name: where one has taken the place of another, that is not missed.
  const names = new Set(workers.map(({ name }) => name));
  const missed = knownWorkers.filter(({ facts }) => !names.has(facts.name));
  const current = knownWorkers.filter(({ facts }) => workers.some(({ id }) => id === facts.id));
  return { workers: joined(workers, [...current, ...missed]), servers: joined(servers, knownServers) };
}

interface Beat<F> {
  readonly at: string;
  readonly facts: F;
}

function joined<F extends { readonly id: string }>(there: readonly F[], beats: readonly Beat<F>[]): Member<F>[] {
  const byId = new Map(beats.map(({ at, facts }) => [facts.id, at]));
  const answered = new Set(there.map(({ id }) => id));
  return [
    ...there.map((facts) => ({ ...facts, heartbeat: byId.get(facts.id) ?? null, isThere: true })),
    ...beats
      .filter(({ facts }) => !answered.has(facts.id))
      .map(({ at, facts }) => ({ ...facts, heartbeat: at, isThere: false })),
  ];
}

async function beatsIn(cluster: Cluster, connection: NatsConnection) {
  const keys = await patiently(() => openKeys(connection, cluster.names.members, 1, keptMs));
  const workers: Beat<WorkerFacts>[] = [];
  const servers: Beat<ServerFacts>[] = [];
  for await (const { operation, value, created } of await keys.history()) {
    const beat = operation === 'PUT' ? valueIn(beatSchema, value) : null;
    if (!beat?.ok) continue;
    const at = created.toISOString();
    const { worker, server } = beat.value;
    if (worker !== undefined) workers.push({ at, facts: worker });
    if (server !== undefined) servers.push({ at, facts: server });
  }
  return { workers, servers };
}
