import type { AuditRow } from '../../engine/operations/audit.ts';
import type {
  DryRun,
  ExecutionResult,
  HostRule,
  Limits,
  Mount,
  Permissions,
  Usage,
} from '../../engine/running/types.ts';
import { exitReasons } from '../../engine/running/types.ts';
import {
  always,
  anything,
  choice,
  count,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  optional,
  text,
  time,
} from './build.ts';
import { ref } from './shared.ts';

const reason = choice(exitReasons, 'Why it ended.');

const auditRow = object<AuditRow>({
  seq: count('Its place in the log.'),
  timestamp: time('When it ended, or when it began if it has not ended.'),
  event: choice(['start', 'end', 'grant'], '`start` if it has not ended; `grant` for what was granted or revoked.'),
  id: text(),
  skill: text(),
  folder: text(),
  digest: text('Of all files of the skill.'),
  tool: text(),
  runtime: text(),
  parameters: anything('Without secrets.'),
  by: text('cli, mcp, console or library.'),
  client: optional(text('The name an MCP client gives itself.')),
  user: optional(text('Of a grant: the user who gave it or took it back.')),
  unsafe: flag('Whether it ran without a sandbox.'),
  result: text('Why it ended; `running` or `lost` for those that have no end.'),
  exitCode: nullable(integer()),
  message: nullable(text()),
  durationMs: nullable(number()),
  outputBytes: nullable(number()),
  enforcement: map(text(), 'What was enforced, and by what.'),
  hash: text(),
});

const executionResult = object<ExecutionResult>({
  id: text('Its id in the audit log.'),
  skill: text(),
  tool: text(),
  runtime: text(),
  digest: text('Of all files of the skill.'),
  reason,
  exitCode: nullable(integer()),
  signal: nullable(text()),
  message: nullable(text(), 'Why, if it did not end by itself.'),
  hint: nullable(text(), 'What to do about it.'),
  stdout: text('Filtered as requested.'),
  stderr: text(),
  value: optional(anything('The output as data, if it is JSON.')),
  notes: list(text(), 'What was left out of the output.'),
  durationMs: number(),
  limits: nullable(ref('Limits')),
  enforcement: list(ref('Enforcement')),
  denials: list(object<ExecutionResult['denials'][number]>({ what: always('network'), detail: text() })),
});

const host = object<HostRule>({
  host: text(),
  below: flag('Whether it means all subdomains, not the host itself.'),
  port: nullable(count(), 'Null for every port.'),
});

const permissions = object<Permissions>({
  network: list(host),
  mounts: list(object<Mount>({ source: text(), target: text(), access: choice(['read', 'write']) })),
  missing: list(text(), 'Paths that were granted and do not exist.'),
  env: list(text()),
  secrets: list(text(), 'Their names.'),
  limits: ref('Limits'),
});

const dryRun = object<DryRun>(
  {
    skill: text(),
    tool: text(),
    runtime: text(),
    digest: text(),
    argv: list(text(), 'The exact arguments, one per item.'),
    folder: text(),
    env: map(text(), 'Only names where a value is secret.'),
    stdinBytes: count(),
    permissions,
    enforcement: list(ref('Enforcement')),
  },
  'With `dryRun`.',
);

const enforcement = object<ExecutionResult['enforcement'][number]>({
  what: choice(['files', 'network', 'processes', 'memory', 'cpu', 'time', 'output', 'scratch', 'user']),
  by: text(),
});

const limits = object<Limits>({
  timeoutMs: number(),
  memoryBytes: number(),
  processes: number(),
  outputBytes: number('Of standard output, and again of standard error.'),
  scratchBytes: number(),
  fileBytes: number('Of any one file that is written.'),
  cpuSeconds: number(),
});

const usage = object<Usage>({
  elapsedMs: number(),
  memoryBytes: nullable(number(), 'Null where the machine cannot measure it.'),
  peakMemoryBytes: nullable(number()),
  cpuSeconds: nullable(number()),
  outputBytes: number('Of both streams.'),
});

/** What is told of runs. */
export const executions = {
  AuditRow: auditRow,
  ExecutionResult: executionResult,
  DryRun: dryRun,
  Enforcement: enforcement,
  Limits: limits,
  Usage: usage,
};
