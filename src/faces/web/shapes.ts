import {
  choice,
  count,
  flag,
  type Infer,
  list,
  literal,
  named,
  nullable,
  object,
  text,
  union,
} from '../../core/schema/schema.ts';
import { activityRowSchema } from '../../engine/operations/machine/activity.ts';
import { auditRowSchema } from '../../engine/operations/running/audit.ts';
import { keptSchema } from '../../engine/running/output.ts';
import { dryRunSchema, executionResultSchema, usageSchema } from '../../engine/running/types.ts';
import { statusOf } from './answers.ts';
import { operationNames } from './operations.ts';

const modes = ['full', 'read'] as const;
/** Mode of the console: everything, or read only. */
export type ConsoleMode = (typeof modes)[number];

/** The session of a client, and the mode of the console. */
export const sessionSchema = object({
  signedIn: flag(),
  mode: choice(modes),
  version: text(),
  subject: nullable(text(), 'Who has signed in, where an authorization server says so.'),
  signsIn: flag('Whether people can sign in at an authorization server.'),
  may: list(choice(operationNames), 'The operations that the caller is answered; the others are refused.'),
  home: nullable(text('The home folder of who runs the server; null for whoever is not signed in.')),
});
export type SessionState = Infer<typeof sessionSchema>;

const failure = object({
  code: choice(Object.keys(statusOf) as readonly (keyof typeof statusOf)[]),
  message: text(),
  hint: nullable(text(), 'What to do next.'),
  suggestions: list(text(), 'Names close to the one asked for.'),
  candidates: list(text(), 'What an ambiguous name could mean.'),
});

/** The body of every answer that is an error. */
export const errorSchema = named('Error', object({ error: failure }));
export type ErrorBody = Infer<typeof errorSchema>;

/** A line of the answer to a run. */
export const runEventSchema = named(
  'RunEvent',
  union(
    object({ event: literal('start'), key: text('The key for cancelling the run.') }),
    object({
      event: literal('output'),
      stream: choice(['stdout', 'stderr']),
      text: text(),
      bytes: count('Bytes that the tool wrote for it, what was left out included.'),
    }),
    object({ event: literal('usage'), usage: usageSchema }),
    // The result is the last event, unless nothing is to be run or there is an error.
    object({
      event: literal('end'),
      result: executionResultSchema,
      record: nullable(auditRowSchema, 'Its record in the audit log.'),
      kept: nullable(keptSchema, 'What is kept of its output.'),
    }),
    object({ event: literal('plan'), plan: dryRunSchema }),
    object({ event: literal('error'), error: failure }),
  ),
);
export type RunEvent = Infer<typeof runEventSchema>;

/** Events sent to open pages as they happen. */
export const liveEventSchema = named(
  'LiveEvent',
  union(
    object({ type: literal('skills'), revision: text('The revision that browse returns.') }),
    // The first scan goes on: until it ends, there is nothing else to show.
    object({ type: literal('scan'), found: count('Skills that were read so far.') }),
    // A grant was given, revoked, or may no longer hold.
    object({ type: literal('grants') }),
    // An execution has begun or ended, whichever caller started it.
    object({ type: literal('execution'), row: auditRowSchema }),
    object({ type: literal('activity'), row: activityRowSchema }),
  ),
);
export type LiveEvent = Infer<typeof liveEventSchema>;
export type LiveType = LiveEvent['type'];
