import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { type LogCursor, type LogLine, openCursor } from '../../run/audit/log-cursor.ts';
import { placesIn } from '../../run/audit/log-files.ts';
import { type Key, parseRecord, readKey } from '../../run/audit/record.ts';
import type { Cluster } from '../connection.ts';
import { openRecords, type RecordStream } from './stream.ts';

export interface Sending {
  readonly environment: Environment;
  /** Called with the reason why records cannot be sent just now, once for each. */
  readonly onProblem: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at the log: cheap enough, and as good as at once. */
const lookMs = 200;
/** Milliseconds until sending is tried again where it has failed. */
const pauseMs = 1000;
/** Bytes of records in one message, in which they take at most twice as many. */
const mostBytes = 256 * 1024;

/**
 * Sends the records of this machine's audit log to the cluster, in their order, as they are written and by whichever
 * process. The last one that the cluster has says where to go on: what could not be sent is sent later, and two processes
 * that send the same log do not do it twice. Returns what resolves once everything that is in the log now has been sent.
 */
export function sendRecords(cluster: Cluster, sending: Sending): () => Promise<void> {
  const { signal, onProblem } = sending;
  let waiting: (() => void)[] = [];
  let hurry = new AbortController();
  let told = '';

  /** Waits for more to send, and tells those who wait for there being nothing. */
  const onSent = async (): Promise<void> => {
    told = '';
    for (const resolve of waiting.splice(0)) resolve();
    await sleep(lookMs, undefined, { signal: AbortSignal.any([signal, hurry.signal]) }).catch(() => {});
  };

  void (async () => {
    while (!signal.aborted) {
      await sendOn(cluster, sending, onSent).catch(async (error: unknown) => {
        const reason = oneLine(reasonOf(error));
        if (reason !== told && !signal.aborted) onProblem(reason);
        told = reason;
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      });
    }
  })();

  return () =>
    new Promise((resolve) => {
      waiting = [...waiting, resolve];
      hurry.abort();
      hurry = new AbortController();
    });
}

/** Sends until something goes wrong. */
async function sendOn(cluster: Cluster, { environment, signal }: Sending, onSent: () => Promise<void>): Promise<void> {
  const stream = await openRecords(await cluster.connected(), cluster.names);
  let key: Key | null = null;
  // It is made with the first record.
  while (key === null && !signal.aborted) {
    key = readKey(placesIn(environment).privateKey);
    if (key === null) await onSent();
  }
  if (key === null) return;
  const [node, about] = [key.fingerprint(), { format: 1, host: hostname(), key: key.publicKey() } as const];
  const { cursor, isSent, number } = await placeOf(environment, stream, node);
  try {
    for (let after = number; !signal.aborted; ) {
      const taken = cursor.take(mostBytes);
      const lines = taken.filter((line) => !isSent(line)).map(({ text }) => text);
      if (lines.length > 0) {
        const appended = await stream.append(node, { ...about, lines }, after);
        if (appended === null) return; // somebody else has sent them, or so it seems: look again
        after = appended;
      }
      if (taken.length === 0) await onSent();
    }
  } finally {
    cursor.close();
  }
}

/** The point from which a log is to be sent. */
interface Place {
  readonly cursor: LogCursor;
  /** Whether the cluster has a record already. */
  readonly isSent: (line: LogLine) => boolean;
  /** Number of the last message; 0 where there is none. */
  readonly number: number;
}

/**
 * Finds the point from which to send. Where the cluster's last record is not in the log, the log is no longer what it
 * was: then all of it is sent that the cluster does not have, so that everybody can see where the two part.
 */
async function placeOf(environment: Environment, stream: RecordStream, node: string): Promise<Place> {
  const last = await stream.last(node);
  if (last === null) return { cursor: openCursor(environment, 0), isSent: () => false, number: 0 };
  const { number, bundle } = last;
  const known = bundle.ok ? parseRecord(Buffer.from(bundle.value.lines.at(-1) ?? '')) : null;
  if (known !== null && isIn(environment, known)) {
    return { cursor: openCursor(environment, known.seq), isSent: () => false, number };
  }
  const hashes = new Set<string>();
  for await (const sent of stream.all(node)) {
    for (const line of sent.bundle.ok ? sent.bundle.value.lines : []) {
      const record = parseRecord(Buffer.from(line));
      if (record !== null) hashes.add(record.hash);
    }
  }
  return { cursor: openCursor(environment, 0), isSent: ({ hash }) => hashes.has(hash), number };
}

/** Whether a record is in the log, or at least may have been: the files before the first one here were put elsewhere. */
function isIn(environment: Environment, { seq, hash }: Pick<LogLine, 'seq' | 'hash'>): boolean {
  const cursor = openCursor(environment, seq - 1);
  try {
    const [line] = cursor.take(1);
    return line !== undefined && (line.seq > seq || line.hash === hash);
  } finally {
    cursor.close();
  }
}
