import type { Diagnostic } from '../../kernel/diagnostics.ts';
import { readPolicy } from '../../policy/operator.ts';
import { distinctName } from '../../registry/resolve.ts';
import { type AgentSight, agentsSeeing } from '../agents/native.ts';
import { chosenFields, chosenSkill } from '../browsing/chosen.ts';
import { type InspectFile, inspectFiles, noticedAbout, othersOf, ownToolbox, readBody } from '../browsing/details.ts';
import { attempted } from '../browsing/outcome.ts';
import { type InspectPermissions, noPolicy, permissionsIn } from '../browsing/permissions.ts';
import { defineOperation } from '../operation.ts';
import { digestOf } from '../running/prepare.ts';
import { recordOf, type SkillRecord } from './list.ts';
import { type SkillTools, toolsOf } from './tools.ts';
import type { Contender } from './why.ts';

export type { AgentSight } from '../agents/native.ts';
export type { InspectFile } from '../browsing/details.ts';
export type { InspectPermissions } from '../browsing/permissions.ts';

/** Everything there is to know about one skill. */
export interface InspectOutput {
  readonly skill: SkillRecord;
  /** The name that loads this one and no other; of one that no name loads, what it would be called. */
  readonly name: string;
  /** SKILL.md without its front matter. */
  readonly body: string;
  /** Whether the text was too long, and is cut. */
  readonly truncated: boolean;
  /** What was noticed about its files, with remedies. */
  readonly diagnostics: readonly Diagnostic[];
  /** What it is shadowed by, or shadows, or cannot be told from. */
  readonly others: readonly Contender[];
  readonly files: readonly InspectFile[];
  /** Links in the skill that lead out of it, or to nothing; they are never read. */
  readonly refused: readonly string[];
  /** Of all files together: what a grant is bound to. Null where they cannot all be read: then nothing can be granted. */
  readonly digest: string | null;
  readonly tools: SkillTools;
  readonly permissions: InspectPermissions;
  readonly agents: readonly AgentSight[];
}

/** Tells everything about one skill. Whatever cannot be found out leaves a gap of its own, and the rest is told. */
export const inspect = defineOperation({
  fields: chosenFields,
  async run(engine, chosen, request): Promise<InspectOutput> {
    const { registry, environment } = engine;
    const snapshot = await registry.snapshot();
    const skill = chosenSkill(snapshot, chosen);
    const toolbox = await ownToolbox(environment, skill);
    const policy = await attempted(() => readPolicy(environment));
    const now = await attempted(() => digestOf({ skill, toolbox }, request));
    const { problems, ...text } = readBody(skill);
    return {
      skill: recordOf(skill, snapshot),
      name: distinctName(snapshot, skill),
      ...text,
      diagnostics: noticedAbout(skill, snapshot, [...problems, ...toolbox.problems]),
      others: othersOf(skill, snapshot),
      ...(await inspectFiles(skill, now.ok ? now.value.files : null)),
      digest: now.ok ? now.value.digest : null,
      tools: toolsOf(skill, toolbox, policy.ok ? policy.value : noPolicy, environment),
      permissions: permissionsIn(environment, { skill, toolbox, policy, now }),
      agents: agentsSeeing(skill, snapshot),
    };
  },
});
