import { diagnosticSchema } from '../../../core/diagnostics.ts';
import { statOf } from '../../../core/disk/files.ts';
import { count, flag, type Infer, list, nullable, object, text, time } from '../../../core/schema/schema.ts';
import { quarantinedIn } from '../../../get/scan/store.ts';
import { findingSchema } from '../../../get/scan/types.ts';
import { disabledFor } from '../../../registry/filters.ts';
import { distinctName } from '../../../registry/resolve.ts';
import { readPolicy } from '../../../run/policy/operator.ts';
import { agentSightSchema, agentsSeeing } from '../../agents/native.ts';
import { chosenFields, chosenSkill } from '../../browsing/chosen.ts';
import {
  attempted,
  fileSchema,
  inspectFiles,
  noticedAbout,
  othersOf,
  ownToolbox,
  readBody,
} from '../../browsing/details.ts';
import { obstacleTo, sourceOfInstalled } from '../../browsing/editing.ts';
import { inspectPermissionsSchema, noPolicy, permissionsIn } from '../../browsing/permissions.ts';
import { defineOperation } from '../../operation.ts';
import { digestOf } from '../../running/prepare.ts';
import { agentsHere } from '../../setup/connecting.ts';
import { skillToolsSchema, toolsOf } from '../running/tools.ts';
import { recordOf, skillSchema } from './list.ts';
import { contenderSchema } from './why.ts';

export type { InspectFile } from '../../browsing/details.ts';
export type { InspectPermissions } from '../../browsing/permissions.ts';

const sightSchema = object({ ...agentSightSchema.fields, here: flag('Whether the agent is on this machine.') });
export type AgentSight = Infer<typeof sightSchema>;

/** Everything known about one skill. */
const output = object({
  skill: skillSchema,
  // For a skill that no name loads, the name it would have.
  name: text('The name that loads exactly this skill.'),
  body: text('SKILL.md without its front matter.'),
  truncated: flag('Whether the text was too long, and is cut.'),
  diagnostics: list(diagnosticSchema),
  findings: list(findingSchema, 'What the scan found, where it keeps the skill in quarantine.'),
  others: list(contenderSchema, 'The skills that it shadows, is shadowed by, or is ambiguous with.'),
  files: list(fileSchema),
  refused: list(text(), 'Links that lead outside the skill, or to nothing.'),
  // Digest of all files; null where one cannot be read, so that nothing can be granted.
  digest: nullable(text(), 'Of all files together: what a grant is bound to.'),
  tools: skillToolsSchema,
  permissions: inspectPermissionsSchema,
  agents: list(sightSchema, 'Which agents see it by themselves.'),
  disabledFor: list(text(), 'Agents that it is disabled for, by their ids; `*` for all.'),
  tokens: object({ listing: count('Of its name and description.'), text: count('Of the text below them.') }),
  changedAt: nullable(time(), 'When its SKILL.md was changed last.'),
  obstacle: nullable(text(), 'Why it cannot be edited here.'),
  installed: nullable(text(), 'The source that it was installed from.'),
});
export type InspectOutput = Infer<typeof output>;

/** Reports everything about one skill. Anything that cannot be found out leaves a gap, and the rest is reported. */
export const inspect = defineOperation({
  name: 'inspect',
  right: 'see',
  effect: 'reads',
  input: chosenFields,
  notes: ({ name }, output?: InspectOutput) => ({ what: 'loaded', skill: output?.skill.fullName ?? name }),
  output,
  async run(engine, chosen, request): Promise<InspectOutput> {
    const { registry, environment } = engine;
    const snapshot = await registry.snapshot();
    const skill = chosenSkill(snapshot, chosen);
    const toolbox = await ownToolbox(environment, skill);
    const policy = await attempted(() => readPolicy(environment));
    const now = await attempted(() => digestOf({ skill, toolbox }, request));
    const { problems, ...text } = readBody(skill);
    const here = agentsHere(environment);
    return {
      skill: recordOf(skill, snapshot),
      name: distinctName(snapshot, skill),
      ...text,
      diagnostics: noticedAbout(skill, snapshot, [...problems, ...toolbox.problems]),
      findings:
        snapshot.quarantined(skill) === undefined ? [] : (quarantinedIn(environment, skill.id)?.report.findings ?? []),
      others: othersOf(skill, snapshot),
      ...(await inspectFiles(skill, now.ok ? now.value.files : null)),
      digest: now.ok ? now.value.digest : null,
      tools: toolsOf(skill, toolbox, policy.ok ? policy.value : noPolicy, environment),
      permissions: permissionsIn(environment, { skill, toolbox, policy, now }),
      // Agents are those of the machine, which is not for callers whom rules hold for.
      agents:
        engine.whole === undefined
          ? agentsSeeing(skill, snapshot).map((sight) => ({ ...sight, here: here.has(sight.id) }))
          : [],
      disabledFor: disabledFor(skill, snapshot.view.disabled ?? []),
      tokens: { listing: tokensIn(`${skill.fullName}${skill.description}`), text: tokensIn(text.body) },
      changedAt: changedAt(skill.file),
      obstacle: obstacleTo(skill),
      installed: sourceOfInstalled(skill, engine),
    };
  },
});

/** Tokens of a text, as nearly as anybody can say who does not know the model. */
function tokensIn(written: string): number {
  return Math.round(written.length / 4);
}

function changedAt(file: string): string | null {
  const stats = statOf(file);
  return stats.ok ? stats.value.mtime.toISOString() : null;
}
