import { text } from '../../../core/schema/schema.ts';
import { requireSkill } from '../../../registry/resolve.ts';
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
