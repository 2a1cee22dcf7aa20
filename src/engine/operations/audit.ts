import { readAudit } from '../../audit/read.ts';
import type { AuditRow } from '../../audit/rows.ts';
import { type VerifyResult, verifyAudit } from '../../audit/verify.ts';
import { SkillError } from '../../kernel/errors.ts';
import { exitReasons } from '../../sandbox/types.ts';
import { defineOperation } from '../operation.ts';

export type AuditOutput =
  | { readonly what: 'executions'; readonly executions: readonly AuditRow[] }
  /** Those that were, and then those that end from now on. */
  | { readonly what: 'following'; readonly following: AsyncIterable<AuditRow> }
  | ({ readonly what: 'verification' } & VerifyResult);

export type { AuditRow };

/** Shows what was executed, or checks that nothing of it was changed. */
export const audit = defineOperation({
  fields: {
    action: {
      kind: 'choice',
      choices: ['verify'],
      positional: true,
      value: 'verify',
      description: 'Check that no record was changed, removed or added, in place of showing them.',
    },
    skill: { kind: 'text', value: 'NAME', description: 'Only executions of this skill.', completes: 'skill' },
    tool: { kind: 'text', value: 'NAME', description: 'Only executions of this tool.' },
    result: {
      kind: 'choice',
      choices: [...exitReasons, 'running'],
      value: 'RESULT',
      description: 'Only executions that ended so.',
    },
    id: { kind: 'text', value: 'ID', description: 'Only this execution.' },
    since: { kind: 'text', value: 'TIME', description: 'Not before: a date, a time, or 30m, 12h, 7d for so long ago.' },
    until: { kind: 'text', value: 'TIME', description: 'Not after, in the same form.' },
    limit: { kind: 'integer', min: 1, max: 100_000, default: 50, value: 'N', description: 'The last so many.' },
    follow: { kind: 'switch', short: 'f', description: 'Go on with those that end from now on.' },
  },
  async run({ environment }, { action, since, until, follow, ...rest }): Promise<AuditOutput> {
    const asked = { ...rest, since: timeOf(since, '--since'), until: timeOf(until, '--until') };
    if (action === 'verify') return { what: 'verification', ...(await verifyAudit(environment)) };
    if (follow) {
      const forever = new AbortController().signal;
      return { what: 'following', following: readAudit(environment, { ...asked, follow: forever }) };
    }
    const executions: AuditRow[] = [];
    for await (const row of readAudit(environment, asked)) executions.push(row);
    return { what: 'executions', executions };
  },
});

const units: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3, w: 604_800e3 };

function timeOf(text: string | undefined, option: string): Date | undefined {
  if (text === undefined) return undefined;
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const time = number === undefined ? new Date(text) : new Date(Date.now() - Number(number) * (units[unit] ?? 0));
  if (!Number.isNaN(time.getTime())) return time;
  throw new SkillError('usage', `${option} is no time: '${text}'`, {
    hint: 'Write 2026-11-15, 2026-11-15T08:30, or 30m, 12h, 7d for so long ago.',
  });
}
