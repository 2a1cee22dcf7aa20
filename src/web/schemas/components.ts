import type { ActivityRow } from '../../engine/operations/activity.ts';
import type { CapabilityItem } from '../../engine/operations/grant.ts';
import type { SkillTools, ToolRecord } from '../../engine/operations/tools.ts';
import type { Contender } from '../../engine/operations/why.ts';
import { type Diagnostic, diagnosticCodes } from '../../kernel/diagnostics.ts';
import type { ErrorBody, LiveEvent, RunEvent } from '../shapes.ts';
import {
  always,
  anyOf,
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  open,
  type Schema,
  text,
  time,
} from './build.ts';
import { executions } from './executions.ts';
import { type Components, ref, runtime } from './shared.ts';

const tool = object<ToolRecord>({
  name: text(),
  description: text(),
  parameters: open('A JSON Schema of type object.'),
  output: choice(['text', 'json']),
  readOnly: flag('Whether it is read-only, according to its author.'),
  asksTo: list(text(), 'What it asks for beyond the default sandbox, in words.'),
});

const activity = object<ActivityRow>({
  time: time(),
  what: choice(['searched', 'loaded', 'ran']),
  client: text('The name an MCP client gives itself, or cli, console, library.'),
  skill: nullable(text(), 'Null for a search.'),
  detail: nullable(text(), 'What was looked for, the tool that was run, or the file that was loaded.'),
  hits: nullable(count(), 'How many were found, for a search.'),
  outcome: text('`ok`, or why not.'),
  durationMs: number(),
  execution: nullable(text(), 'Of the execution, for a run.'),
});

const errorCodes = [
  'usage',
  'invalid-name',
  'config',
  'unauthorized',
  'denied',
  'forbidden',
  'not-found',
  'method',
  'ambiguous',
  'too-large',
  'too-many',
  'unreadable',
  'unwritable',
  'internal',
  'unavailable',
  'busy',
] as const;

type RunEvents = { readonly [E in RunEvent['event']]: Extract<RunEvent, { readonly event: E }> };
type LiveEvents = { readonly [T in LiveEvent['type']]: Extract<LiveEvent, { readonly type: T }> };

const failure = object<ErrorBody['error']>({
  code: choice(errorCodes),
  message: text(),
  hint: nullable(text(), 'What to do next.'),
  suggestions: list(text(), 'Names close to the one asked for.'),
  candidates: list(text(), 'What an ambiguous name could mean.'),
});

export const components: { readonly [N in keyof Components]: Schema<Components[N]> } = {
  Error: object<ErrorBody>({ error: failure }),
  RunEvent: anyOf(
    object<RunEvents['start']>({ event: always('start'), key: text('The key for cancelling the run.') }),
    object<RunEvents['output']>({ event: always('output'), stream: choice(['stdout', 'stderr']), text: text() }),
    object<RunEvents['usage']>({ event: always('usage'), usage: ref('Usage') }),
    object<RunEvents['end']>({
      event: always('end'),
      result: ref('ExecutionResult'),
      record: nullable(ref('AuditRow'), 'Its record in the audit log.'),
    }),
    object<RunEvents['plan']>({ event: always('plan'), plan: ref('DryRun') }),
    object<RunEvents['error']>({ event: always('error'), error: failure }),
  ),
  LiveEvent: anyOf(
    object<LiveEvents['skills']>({ type: always('skills'), revision: text('The revision that browse returns.') }),
    object<LiveEvents['grants']>({ type: always('grants') }),
    object<LiveEvents['execution']>({ type: always('execution'), row: ref('AuditRow') }),
    object<LiveEvents['activity']>({ type: always('activity'), row: ref('ActivityRow') }),
  ),
  Diagnostic: object<Diagnostic>({
    code: choice(diagnosticCodes),
    severity: choice(['error', 'warning', 'info']),
    file: text('The file or folder it is about.'),
    line: nullable(count(), 'From 1.'),
    column: nullable(count(), 'From 1.'),
    message: text(),
    remedy: text('What to do about it.'),
  }),
  Contender: object<Contender>({
    fullName: text(),
    provider: text(),
    location: text(),
    file: text(),
    reason: text('Why it won, lost, or is not seen.'),
  }),
  SkillTools: object<SkillTools>({
    skill: text('Its full name.'),
    runtime,
    source: choice([
      'skill.toml',
      'manifest.toml',
      'project manifest',
      'SKILL.md',
      'component',
      'module',
      'scripts',
      'none',
    ]),
    version: nullable(text()),
    tools: list(tool),
    instances: list(text()),
    problems: list(ref('Diagnostic')),
  }),
  Capability: object<CapabilityItem>({
    key: text('As it is named in `only`.'),
    words: text('Continues "it may".'),
  }),
  ...executions,
  ActivityRow: activity,
};
