import { text } from '../../../core/schema/schema.ts';
import { loadSkill } from '../../loading/load.ts';
import { defineOperation } from '../../operation.ts';
import { recordOf, type SkillRecord } from './list.ts';

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
