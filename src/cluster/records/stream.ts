import { JetStreamApiCodes, JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Infer, list, literal, object, text } from '../../core/schema/schema.ts';
import { complete, inStreams, requestTimeoutMs, withCopies } from '../buckets.ts';
import type { Names } from '../names.ts';
import { type Value, valueIn } from '../values.ts';

/**
 * Records of one node's audit log, as they stand there and in that order. A node is known by the fingerprint of its audit
 * key, which is the end of the subject: nobody can sign for it without having that key.
 */
const bundleSchema = object({
  format: literal(1),
  host: text('The machine of the node, as it calls itself.', { max: 500 }),
  key: text('The public key of its audit log, in PEM.', { max: 4096 }),
  lines: list(text()),
});
export type RecordBundle = Infer<typeof bundleSchema>;

/** A message of the stream. */
export interface Sent {
  /** The fingerprint that the subject ends with. */
  readonly node: string;
  /** The number in the stream. */
  readonly number: number;
  readonly bundle: Value<RecordBundle>;
}

/** The stream that has the records of all nodes of a cluster. */
export interface RecordStream {
  /** The number of copies that the cluster keeps of it. */
  readonly copies: number;
  /** The nodes that have sent any. */
  nodes(): Promise<readonly string[]>;
  /** The last message of a node. */
  last(node: string): Promise<Sent | null>;
  /** Appends a message to those of a node. Returns its number, or null where it would not follow the one of that number. */
  append(node: string, bundle: RecordBundle, after: number): Promise<number | null>;
  /** Yields all messages that are there now, in order: those of one node, or of all. */
  all(node?: string): AsyncGenerator<Sent>;
}

/** Opens the stream, and makes it where it is missing. Nobody can take a message out of it, but with the whole stream. */
export async function openRecords(connection: NatsConnection, names: Names): Promise<RecordStream> {
  const { records: stream } = names;
  const prefix = `${names.subjects}records.`;
  const kept = await madeOrFound(connection, stream, `${prefix}*`);
  const manager = await jetstreamManager(connection, { timeout: requestTimeoutMs, checkAPI: false });
  const client = jetstream(connection, { timeout: requestTimeoutMs });

  const sentIn = ({ subject, seq, data }: { subject: string; seq: number; data: Uint8Array }): Sent => ({
    node: subject.slice(prefix.length),
    number: seq,
    bundle: valueIn(bundleSchema, data),
  });

  return {
    copies: kept,
    async nodes() {
      const { state } = await manager.streams.info(stream, { subjects_filter: `${prefix}*` });
      return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
    },
    async last(node) {
      const found = await manager.streams.getMessage(stream, { last_by_subj: prefix + node });
      return found === null ? null : sentIn(found);
    },
    async append(node, bundle, after) {
      try {
        const bytes = Buffer.from(JSON.stringify(bundle));
        return (await client.publish(prefix + node, bytes, { expect: { lastSubjectSequence: after } })).seq;
      } catch (error) {
        if (hasCode(error, JetStreamApiCodes.StreamWrongLastSequence)) return null;
        throw error;
      }
    },
    async *all(node = '*') {
      const consumer = await client.consumers.get(stream, { filter_subjects: prefix + node });
      if ((await consumer.info()).num_pending === 0) return;
      const messages = await consumer.consume();
      try {
        for await (const message of messages) {
          yield sentIn(message);
          if (message.info.pending === 0) return;
        }
      } finally {
        messages.stop();
      }
    },
  };
}

/** Returns the number of copies. */
async function madeOrFound(connection: NatsConnection, name: string, subject: string): Promise<number> {
  return inStreams(connection, async () => {
    const { streams } = await jetstreamManager(connection, { timeout: requestTimeoutMs });
    try {
      return await complete(connection, name);
    } catch (error) {
      if (!hasCode(error, JetStreamApiCodes.StreamNotFound)) throw error;
      const terms = { name, subjects: [subject], deny_delete: true, deny_purge: true };
      await withCopies((replicas) => streams.add({ ...terms, num_replicas: replicas }));
      return complete(connection, name);
    }
  });
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
