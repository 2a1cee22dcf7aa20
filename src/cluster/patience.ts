import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import {
  ClosedConnectionError,
  ConnectionError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node';
import { SkillError } from '../core/errors.ts';
import { oneLine } from '../core/text/text.ts';

/** Milliseconds for which something is tried, and those between two attempts. */
const [retryTimeoutMs, pauseMs] = [20_000, 100];
const overtaken: readonly number[] = [
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
];
/** Codes of JetStream for a node that may store no more. */
const full: readonly number[] = [10_023, 10_047];

/**
 * Does something that may be overtaken by somebody else, or meet a cluster that is just finding a new leader, until it
 * succeeds. It must be such that doing it twice is no different from doing it once.
 */
export async function patiently<T>(action: () => Promise<T>): Promise<T> {
  const until = performance.now() + retryTimeoutMs;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (performance.now() > until || !isPassing(error)) throw failureOf(error);
      await sleep(pauseMs * (1 + Math.random()));
    }
  }
}

/** Whether an error is one of the moment. */
function isPassing(error: unknown): boolean {
  if (error instanceof SkillError) return false;
  if (error instanceof JetStreamApiError) return overtaken.includes(error.code) || isLeaderless(error);
  if (!(error instanceof Error)) return false;
  const { name } = error.cause instanceof Error ? error.cause : error;
  return /^(?:TimeoutError|NoResponders|RequestError|JetStreamNotEnabled|ConnectionError)$/.test(name);
}

/** Whether a cluster cannot answer just now; one without room says the same, and goes on saying it. */
function isLeaderless({ code, status }: JetStreamApiError): boolean {
  return status === 503 && !full.includes(code);
}

/** Whether an error says that JetStream is not there, by a class that the library keeps to itself. */
export function lacksStreams(error: unknown): boolean {
  return error instanceof Error && error.name === 'JetStreamNotEnabled';
}

/** The error for people where a cluster has refused something, which is no fault of this program. Any other stays as it is. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SkillError) return error;
  const told = (what: string, hint: string): SkillError =>
    new SkillError('unavailable', `${what} (${oneLine(error.message)})`, { hint, cause: error });
  if ([error, error.cause].some((one) => one instanceof PermissionViolationError)) {
    return told('the cluster does not allow this account to do that', accountHint);
  }
  if (lacksStreams(error)) return told('the cluster cannot keep anything', streamsHint);
  if (error instanceof JetStreamApiError && full.includes(error.code)) {
    return told('the cluster has no room left', roomHint);
  }
  const isTheirs = ofCluster.some((kind) => error instanceof kind);
  return isTheirs ? told('the cluster does not do this', laterHint) : error;
}

const ofCluster = [
  ...[JetStreamApiError, JetStreamError, RequestError, TimeoutError, NoRespondersError],
  ...[ConnectionError, ClosedConnectionError],
];

const accountHint = 'Name the credentials of one that may with --cluster-credentials.';
const streamsHint = 'Start its nodes with JetStream (nats-server --jetstream), and enable it for the account.';
const roomHint = 'Give JetStream more to store (max_file_store), or the account.';
const laterHint = 'Are enough of its nodes running? Try again in a moment.';
