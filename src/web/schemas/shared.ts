import type { ActivityRow } from '../../engine/operations/activity.ts';
import type { AuditRow } from '../../engine/operations/audit.ts';
import type { CapabilityItem, GrantOutput } from '../../engine/operations/grant.ts';
import type { SkillTools } from '../../engine/operations/tools.ts';
import type { Contender } from '../../engine/operations/why.ts';
import type { DryRun, ExecutionResult, Limits, Usage } from '../../engine/running/types.ts';
import type { Diagnostic } from '../../kernel/diagnostics.ts';
import type { ErrorBody, LiveEvent, RunEvent } from '../shapes.ts';
import { choice, flag, nullable, object, type Schema, text } from './build.ts';

/** What is described once and meant in several places. */
export interface Components {
  readonly Error: ErrorBody;
  readonly RunEvent: RunEvent;
  readonly LiveEvent: LiveEvent;
  readonly Diagnostic: Diagnostic;
  readonly Contender: Contender;
  readonly SkillTools: SkillTools;
  readonly Capability: CapabilityItem;
  readonly AuditRow: AuditRow;
  readonly ActivityRow: ActivityRow;
  readonly ExecutionResult: ExecutionResult;
  readonly DryRun: DryRun;
  readonly Enforcement: ExecutionResult['enforcement'][number];
  readonly Limits: Limits;
  readonly Usage: Usage;
}

export function ref<N extends keyof Components>(name: N): Schema<Components[N]> {
  return { $ref: `#/components/schemas/${name}` };
}

export const location = choice(['project', 'global', 'plugin'], 'Where it was found.');
export const runtime = choice(['native', 'wasm', 'docker', 'none'], 'What its tools run in.');

const plugin = 'plugin@marketplace; null for a skill that belongs to none.';
export const pluginKey = nullable(text(), plugin);

export const markedItem = object<GrantOutput['items'][number]>({
  key: text('As it is named in `only`.'),
  words: text('Continues "it may".'),
  granted: flag(),
});
