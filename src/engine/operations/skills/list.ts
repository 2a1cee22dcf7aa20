import { diagnosticSchema } from '../../../core/diagnostics.ts';
import { memoized } from '../../../core/maps.ts';
import {
  anything,
  flag,
  type Infer,
  map,
  nullable,
  object,
  optional,
  list as several,
  text,
} from '../../../core/schema/schema.ts';
import { disabledFor } from '../../../registry/filters.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import type { Json, Skill } from '../../../skill/types.ts';
import { locationSchema, pluginSchema } from '../../../skill/types.ts';
import { defineOperation } from '../../operation.ts';

/** A skill as every surface shows it. */
export const skillSchema = object({
  id: text('The real path of its folder.'),
  name: text(),
  fullName: text(),
  description: text(),
  provider: text(),
  location: locationSchema,
  plugin: pluginSchema,
  dir: text('The folder as it was found.'),
  file: text('Its SKILL.md.'),
  digest: text('Of SKILL.md.'),
  shadowed: flag('Whether another one of its name is loaded.'),
  disabled: flag('Whether it is disabled, so that nobody loads or runs it.'),
  disabledFor: several(text(), 'Agents that it is disabled for, by their ids; `*` for all.'),
  looksLike: nullable(text(), 'The skill that its name could be taken for.'),
  repaired: flag('Whether its front matter had to be repaired.'),
  quarantined: flag('Whether a scan keeps it from being loaded and run.'),
  frontmatter: map(anything<Json>(), 'As its author wrote it.'),
});
export type SkillRecord = Infer<typeof skillSchema>;

const output = object({ skills: several(skillSchema), diagnostics: several(diagnosticSchema) });
export type ListOutput = Infer<typeof output>;

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
    disabled: snapshot.disabled.has(skill),
    disabledFor: disabledFor(skill, snapshot.view.disabled ?? []),
    looksLike: skill.looksLike,
    repaired: skill.repaired,
    quarantined: snapshot.quarantined(skill) !== undefined,
    frontmatter: skill.frontmatter,
  };
}

/** Lists the skills of a snapshot. Made once for each, since programs ask again and again. */
export const listOf = memoized(
  (snapshot: Snapshot): ListOutput => ({
    skills: snapshot.skills.map((skill) => recordOf(skill, snapshot)),
    diagnostics: snapshot.diagnostics,
  }),
);

export const list = defineOperation({
  name: 'list',
  right: 'see',
  effect: 'reads',
  input: {
    all: optional(flag('List the disabled ones too.')),
    disabled: optional(flag('List only the disabled ones, also those disabled for some agents only.')),
  },
  output,
  async run(engine, { all = false, disabled = false }): Promise<ListOutput> {
    const snapshot = await engine.registry.snapshot();
    const listed = listOf(snapshot);
    if (!all && !disabled) return listed;
    const off = [...snapshot.disabled.keys()].map((skill) => recordOf(skill, snapshot));
    const on = disabled ? listed.skills.filter((skill) => skill.disabledFor.length > 0) : listed.skills;
    return { ...listed, skills: [...on, ...off] };
  },
});
