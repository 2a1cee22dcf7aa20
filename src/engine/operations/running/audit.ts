import { clusterChainsSchema } from '../../../cluster/records/chains.ts';
import { reasonOf } from '../../../core/errors.ts';
import {
  anything,
  choice,
  flag,
  type Infer,
  integer,
  list,
  literal,
  object,
  optional,
  text,
  union,
} from '../../../core/schema/schema.ts';
import { type AuditRow, auditRowSchema, readAudit } from '../../../run/audit/read.ts';
import { type AuditChange, type AuditGrant, changeResults, grantResults } from '../../../run/audit/types.ts';
import { type Breach, type VerifyResult, verifyAudit, verifyResultSchema } from '../../../run/audit/verify.ts';
import { exitReasons } from '../../../run/sandbox/types.ts';
import { type Engine, spelled } from '../../engine.ts';
import { fromThen, timeIfGiven } from '../../freshness/times.ts';
import { defineOperation } from '../../operation.ts';

/** Records of all nodes, as their cluster keeps them. */
const chainsSchema = union(clusterChainsSchema, object({ ok: literal(false), cluster: text(), failure: text() }));
export type Chains = Infer<typeof chainsSchema>;

/** Answer about the log where it is not followed. */
export const auditAnswer = union(
  object({ what: literal('executions'), executions: list(auditRowSchema) }),
  object(
    {
      what: literal('verification'),
      ...verifyResultSchema.fields,
      chains: optional(chainsSchema),
    },
    'With `action=verify`.',
  ),
);
const output = union(
  ...auditAnswer.of,
  object({
    what: literal('following'),
    following: anything<AsyncIterable<AuditRow>>('Those that were, and then those that end from now on.'),
  }),
);
export type AuditOutput = Infer<typeof output>;

export { type AuditChange, type AuditGrant, type AuditRow, auditRowSchema, type Breach, type VerifyResult };

/** Shows what was executed, granted and revoked, or checks that nothing of it was changed. */
export const audit = defineOperation({
  name: 'audit',
  concernsSkills: false,
  effect: 'reads',
  input: {
    action: optional(
      choice(
        ['verify'],
        'Check that no record was changed, removed or added, instead of showing them; in a cluster, those of all its nodes.',
      ),
    ),
    skill: optional(text('Only executions and grants of this skill.')),
    tool: optional(text('Only executions of this tool.')),
    result: optional(
      choice([...exitReasons, 'running', ...grantResults, ...changeResults], 'Only records with this result.'),
    ),
    id: optional(text('Only this execution.')),
    since: optional(text(fromThen)),
    until: optional(text('Only up to this time, in the same form.')),
    limit: integer('Show only the last N.', { min: 1, max: 100_000, default: 50 }),
    follow: flag('Keep showing new ones as they end.', { default: false }),
  },
  output,
  async run(engine, { action, since, until, follow, ...rest }, request): Promise<AuditOutput> {
    const { environment } = engine;
    const { onProgress } = request;
    const asked = {
      ...rest,
      since: timeIfGiven(since, spelled(request, 'since')),
      until: timeIfGiven(until, spelled(request, 'until')),
    };
    if (action === 'verify') {
      const here = await verifyAudit(environment, onProgress);
      const chains = engine.configuration.values.cluster === undefined ? undefined : await chainsOf(engine);
      return { what: 'verification', ...here, ...(chains && { chains }) };
    }
    if (follow) {
      const forever = new AbortController().signal;
      return { what: 'following', following: readAudit(environment, { ...asked, follow: forever }) };
    }
    const executions: AuditRow[] = [];
    for await (const row of readAudit(environment, { ...asked, onProgress })) executions.push(row);
    return { what: 'executions', executions };
  },
});

/** Checks the records of all nodes of the cluster. Where it is out of reach, the log of this machine can be checked all the same. */
async function chainsOf(engine: Engine): Promise<Chains> {
  const { verifyCluster } = await import('../../cluster/records.ts');
  const { clusterName: cluster } = engine.configuration.values;
  return verifyCluster(engine).catch((error: unknown) => ({ ok: false, cluster, failure: reasonOf(error) }));
}
