import { text } from '../../../core/schema/schema.ts';
import { requireSkill } from '../../../registry/resolve.ts';
import { loadSkill } from '../../loading/load.ts';
import { defineOperation } from '../../operation.ts';
import { recordOf, type SkillRecord } from './list.ts';

/** Resolves the skill that a name means. */
export const resolve = defineOperation({
  name: 'resolve',
  effect: 'reads',
  input: { name: text('The name, as an agent would ask for it.') },
  skillIn: ({ name }) => name,
  async run({ registry }, { name }): Promise<SkillRecord> {
    const snapshot = await registry.snapshot();
    return recordOf(requireSkill(snapshot, name), snapshot);
  },
});

export interface SourceOutput {
  readonly skill: SkillRecord;
  readonly bytes: Buffer;
}

/** Reads SKILL.md as it is on disk now, byte for byte. */
export const source = defineOperation({
  name: 'source',
  effect: 'reads',
  input: { name: text('The skill, by any name that it can be loaded by.') },
  skillIn: ({ name }) => name,
  notes: ({ name }, output?: SourceOutput) => ({ what: 'loaded', skill: output?.skill.fullName ?? name }),
  async run(engine, { name }, request): Promise<SourceOutput> {
    const { skill, bytes, snapshot } = await loadSkill(engine, name, request);
    return { skill: recordOf(skill, snapshot), bytes };
  },
});
