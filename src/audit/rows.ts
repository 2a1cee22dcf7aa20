import { isGone } from '../kernel/owner.ts';
import {
  anything,
  choice,
  count,
  flag,
  type Infer,
  integer,
  map,
  named,
  nullable,
  number,
  object,
  optional,
  text,
  time,
} from '../kernel/schema.ts';
import type { AuditEnd, AuditRecord, AuditStart } from './types.ts';

/** An execution, or a grant, as one who reads the log sees it. */
export const auditRowSchema = named(
  'AuditRow',
  object({
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
  }),
);
export type AuditRow = Infer<typeof auditRowSchema>;

/** Which executions are wanted: those that all of it holds for. */
export interface AuditFilter {
  /** By its full name, or the last part of it. */
  readonly skill?: string | undefined;
  readonly tool?: string | undefined;
  readonly result?: string | undefined;
  readonly id?: string | undefined;
  /** `end` for executions that have ended, `start` for those that have not. */
  readonly event?: AuditRow['event'] | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** What a record tells of, if it does. Lines that somebody has tampered with may hold anything. */
export function rowOf(record: AuditRecord): AuditRow | null {
  if (record.event === 'grant') return grantRow(record);
  if (record.event !== 'start' && record.event !== 'end') return null;
  const texts = [record.id, record.skill, record.tool, record.event === 'end' ? record.result : record.process];
  if (texts.some((text) => typeof text !== 'string')) return null;
  const { seq, timestamp, event, hash, id, skill, folder, digest, tool, runtime, parameters, by, unsafe } = record;
  const known = { seq, timestamp, event, hash, id, skill, folder, digest, tool, runtime, parameters, by, unsafe };
  const client = typeof record.client === 'string' && { client: record.client };
  return { ...known, ...client, ...(record.event === 'end' ? endOf(record) : unfinished(record)) };
}

function grantRow(record: AuditRecord & { readonly event: 'grant' }): AuditRow | null {
  const { seq, timestamp, event, hash, id, skill, folder, digest, parameters, by, user, result } = record;
  if ([id, skill, result, user].some((text) => typeof text !== 'string')) return null;
  const client = typeof record.client === 'string' && { client: record.client };
  const known = { seq, timestamp, event, hash, id, skill, folder, digest, parameters, by, ...client, user };
  return { ...known, tool: '', runtime: '', unsafe: false, ...nothingRan, result };
}

const nothingRan = { exitCode: null, message: null, durationMs: null, outputBytes: null, enforcement: {} };

type Ending = Omit<AuditRow, keyof AuditStart | 'seq' | 'timestamp' | 'event' | 'hash' | 'user'>;

function endOf({ result, exitCode, message, durationMs, outputBytes, enforcement }: AuditEnd): Ending {
  return {
    result,
    exitCode,
    message: typeof message === 'string' ? message : null,
    durationMs: Number(durationMs),
    outputBytes: Number(outputBytes),
    enforcement,
  };
}

/** Who runs it may live where we cannot look; then it is said to be lost only when it should have ended long ago. */
function unfinished({ process, timestamp }: { readonly process: string; readonly timestamp: string }): Ending {
  const result = isGone(process, Date.parse(timestamp)) ? 'lost' : 'running';
  return { ...nothingRan, result };
}

export function fits(row: AuditRow, filter: AuditFilter): boolean {
  const { since, until } = filter;
  const asked = (['tool', 'result', 'id', 'event'] as const).filter((key) => filter[key] !== undefined);
  const time = Date.parse(row.timestamp);
  return (
    asked.every((key) => row[key] === filter[key]) &&
    (filter.skill === undefined || isNamed(row.skill, filter.skill)) &&
    (since === undefined || time >= since.getTime()) &&
    (until === undefined || time <= until.getTime())
  );
}

/** Whether a full name is meant by a name: the whole of it, or its last part. */
export function isNamed(full: string, name: string): boolean {
  return full === name || full.endsWith(`:${name}`) || full.endsWith(`/${name}`);
}
