import { type AuditRow, auditRowSchema, readAudit } from '../../audit/read.ts';
import { type AuditGrant, grantResults } from '../../audit/types.ts';
import { type VerifyResult, verifyAudit, verifyResultSchema } from '../../audit/verify.ts';
import type { Breach } from '../../audit/walk.ts';
import { anything, type Infer, list, literal, object, union } from '../../kernel/schema.ts';
import { exitReasons } from '../../sandbox/types.ts';
import { defineOperation } from '../operation.ts';
import { sinceField, timeIfGiven } from '../times.ts';

/** What is told of the log where it is not followed. */
export const auditAnswer = union(
  object({ what: literal('executions'), executions: list(auditRowSchema) }),
  object({ what: literal('verification'), ...verifyResultSchema.fields }, 'With `action=verify`.'),
);
const output = union(
  ...auditAnswer.of,
  object({
    what: literal('following'),
    following: anything<AsyncIterable<AuditRow>>('Those that were, and then those that end from now on.'),
  }),
);
export type AuditOutput = Infer<typeof output>;

export { type AuditGrant, type AuditRow, auditRowSchema, type Breach, type VerifyResult };

/** Shows what was executed, granted and revoked, or checks that nothing of it was changed. */
export const audit = defineOperation({
  fields: {
    action: {
      kind: 'choice',
      choices: ['verify'],
      positional: true,
      value: 'verify',
      description: 'Check that no record was changed, removed or added, instead of showing them.',
    },
    skill: {
      kind: 'text',
      value: 'NAME',
      description: 'Only executions and grants of this skill.',
      completes: 'skill',
    },
    tool: { kind: 'text', value: 'NAME', description: 'Only executions of this tool.' },
    result: {
      kind: 'choice',
      choices: [...exitReasons, 'running', ...grantResults],
      value: 'RESULT',
      description: 'Only executions and grants with this result.',
    },
    id: { kind: 'text', value: 'ID', description: 'Only this execution.' },
    since: sinceField,
    until: { kind: 'text', value: 'TIME', description: 'Only up to this time, in the same form.' },
    limit: { kind: 'integer', min: 1, max: 100_000, default: 50, value: 'N', description: 'Show only the last N.' },
    follow: { kind: 'switch', short: 'f', description: 'Keep showing new ones as they end.' },
  },
  output,
  async run({ environment }, { action, since, until, follow, ...rest }, { onProgress }): Promise<AuditOutput> {
    const asked = { ...rest, since: timeIfGiven(since, '--since'), until: timeIfGiven(until, '--until') };
    if (action === 'verify') return { what: 'verification', ...(await verifyAudit(environment, onProgress)) };
    if (follow) {
      const forever = new AbortController().signal;
      return { what: 'following', following: readAudit(environment, { ...asked, follow: forever }) };
    }
    const executions: AuditRow[] = [];
    for await (const row of readAudit(environment, { ...asked, onProgress })) executions.push(row);
    return { what: 'executions', executions };
  },
});
