import type { Msg, NatsConnection, Subscription, SubscriptionOptions } from '@nats-io/transport-node';
import { parsed, problem, shown } from '../../core/schema/parsed.ts';
import {
  choice,
  count,
  flag,
  type Infer,
  integer,
  list,
  nullable,
  object,
  optional,
  parsedBy,
  type Schema,
  text,
} from '../../core/schema/schema.ts';
import { limitNames } from '../../run/policy/limits.ts';
import { limitsSchema, runtimeNames } from '../../run/policy/types.ts';
import { denialSchema, enforcementSchema, exitReasons } from '../../run/sandbox/types.ts';
import type { Names } from '../names.ts';
import { valueIn } from '../values.ts';

/** Milliseconds between two signs of life, in both directions. */
export const beatMs = 500;
/** Milliseconds of silence after which a worker is given up: a little less than the two seconds that are promised. */
export const lostMs = 1750;
/** Milliseconds of silence after which a worker gives up a caller, and ends what runs for it. */
export const abandonedMs = 5000;

/** Milliseconds without room for anybody in a line after which those who wait are told so. */
export const placeTimeoutMs = 10_000;

/** Milliseconds that parameters too long for a message are kept at most. */
export const inputKeptMs = 10 * 60_000;

/** Most labels of a worker: it listens once for each set of them. */
export const mostLabels = 5;

/** A part of a subject that somebody else has chosen. */
export const token = parsedBy(text(), (word) =>
  /^[\w-]{1,64}$/.test(word)
    ? parsed(word)
    : problem(`${shown(word)} cannot stand in a subject`, 'Use letters and digits.'),
);
const digest = parsedBy(text(), (word) =>
  /^sha256:[0-9a-f]{64}$/.test(word) ? parsed(word) : problem(`${shown(word)} is not a digest`, 'Use SHA-256.'),
);
const inbox = parsedBy(text(), (subject) =>
  /^_INBOX\.[\w.-]{1,200}$/.test(subject) ? parsed(subject) : problem('it is not an inbox', 'Use _INBOX.'),
);
export const name = text(undefined, { max: 200 });
/** A person or program, as an access token names it, which is never longer than the headers of a request. */
export const subject = text(undefined, { max: 16 * 1024 });

/** An execution that a caller offers to whoever takes it. */
export const offerSchema = object({
  id: token,
  // Counts the offers of one execution: frames of one that was given up are told from those of the next.
  attempt: count(),
  inbox,
  skill: name,
  digest,
  tool: name,
  instance: nullable(name),
  runtime: choice(runtimeNames),
  // JSON; null where it is too long for a message, and lies in the object store under the id.
  parameters: nullable(text()),
  // JSON, for the result of a job.
  shaping: text(),
  limits: limitsSchema,
  measured: flag(),
  server: name,
  by: choice(['cli', 'mcp', 'library', 'console']),
  client: optional(name),
  subject: optional(subject),
  request: optional(name),
  traceparent: optional(name),
  tracestate: optional(text(undefined, { max: 512 })),
  // Processes that must not take it, by where they are told things.
  not: list(token),
});
export type Offer = Infer<typeof offerSchema>;

/** The reasons of a worker for not running what it was offered. */
export const declineReasons = ['full', 'draining', 'excluded', 'bundle'] as const;
export const takenSchema = object({ worker: name, control: token });
export type Taken = Infer<typeof takenSchema>;
export const declinedSchema = object({ worker: name, reason: choice(declineReasons) });
export type Declined = Infer<typeof declinedSchema>;

/** The end of an execution, as a worker tells it. */
export const endingSchema = object({
  reason: choice(exitReasons),
  exitCode: nullable(integer()),
  signal: nullable(text()),
  message: nullable(text()),
  hint: nullable(text()),
  limit: optional(choice(limitNames)),
  notes: list(text()),
  enforcement: list(enforcementSchema),
  denials: list(denialSchema),
});
export type Ending = Infer<typeof endingSchema>;

/** A sign of life of the caller, and its wishes. */
export const controlSchema = object({
  // Number of the first frame that it does not have.
  next: count(),
  // Whether frames from that one on are missing, and must be sent again.
  again: flag(),
  cancel: flag(),
  // Whether the run must go on without the caller.
  job: flag(),
  // Whether the caller has the end.
  done: flag(),
});
export type Control = Infer<typeof controlSchema>;

/** A worker, as it tells of itself. */
export const workerSchema = object({
  id: token,
  name,
  host: text(),
  labels: list(text()),
  runtimes: list(choice(runtimeNames)),
  running: count(),
  capacity: count(),
  state: choice(['ready', 'draining']),
  enforcement: list(enforcementSchema),
});
export type WorkerFacts = Infer<typeof workerSchema>;

/**
 * The kinds of frames that a worker sends to the inbox of a caller. Those of the first row are numbered one by one, and
 * sent again where they were lost; the others carry the number of the next, but for a pulse, which comes from a thread
 * that knows none.
 */
export const numbered = ['taken', 'kept', 'stdout', 'stderr', 'end', 'declined'] as const;
export const unnumbered = ['beat', 'usage', 'pulse'] as const;
export type FrameKind = (typeof numbered)[number] | (typeof unnumbered)[number];

export function bytesOf(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** Reads a message by its schema; null where it is none. */
export function messageIn<T>(schema: Schema<T>, bytes: Uint8Array): T | null {
  const reading = valueIn(schema, bytes);
  return reading.ok ? reading.value : null;
}

/**
 * Listens on a subject. An error in place of a message means that this is not allowed, which the connection says by
 * itself; a listener that took it for a message would end the connection.
 */
export function listen(
  connection: NatsConnection,
  subject: string,
  onMessage: (message: Msg) => void,
  options: SubscriptionOptions = {},
): Subscription {
  return connection.subscribe(subject, {
    ...options,
    callback(error, message) {
      if (error === null) onMessage(message);
    },
  });
}

/** The subjects of executions in a cluster. */
export function subjectsIn({ subjects }: Names) {
  return {
    offers: (runtime: string, labels: readonly string[]) =>
      `${subjects}run.${runtime}.${[...labels].sort().join('+') || '-'}`,
    control: (worker: string, id: string) => `${subjects}control.${worker}.${id}`,
    job: (holder: string, id: string) => `${subjects}jobs.${holder}.${id}`,
    census: `${subjects}workers`,
    servers: `${subjects}servers`,
  };
}

/** The name of one attempt, as a part of a subject. */
export function keyOf({ id, attempt }: Pick<Offer, 'id' | 'attempt'>): string {
  return `${id}_${attempt}`;
}
