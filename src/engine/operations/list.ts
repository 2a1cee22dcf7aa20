import type { Diagnostic } from '../../kernel/diagnostics.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';
import { defineOperation } from '../operation.ts';

/** A skill as every surface shows it. */
export type SkillRecord = Omit<Skill, 'rank' | 'named' | 'pluginName'> & { readonly shadowed: boolean };

export interface ListOutput {
  readonly skills: readonly SkillRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

export function recordOf(skill: Skill, snapshot: Snapshot): SkillRecord {
  return {
    id: skill.id,
    name: skill.name,
    fullName: skill.fullName,
    description: skill.description,
    provider: skill.provider,
    location: skill.location,
    plugin: skill.plugin,
    dir: skill.dir,
    file: skill.file,
    digest: skill.digest,
    shadowed: snapshot.shadowedBy(skill) !== undefined,
    looksLike: skill.looksLike,
    repaired: skill.repaired,
    frontmatter: skill.frontmatter,
  };
}

export function listOf(snapshot: Snapshot): ListOutput {
  return { skills: snapshot.skills.map((skill) => recordOf(skill, snapshot)), diagnostics: snapshot.diagnostics };
}

export const list = defineOperation({
  fields: {},
  async run(engine): Promise<ListOutput> {
    return listOf(await engine.registry.snapshot());
  },
});
