import { SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, object, optional, text } from '../../../core/schema/schema.ts';
import { defineOperation } from '../../operation.ts';
import { grantsOf, knownGrants, takeBack } from '../../running/permissions/granting.ts';

const output = object({ revoked: list(text(), 'The skills whose grants are gone.') });
export type RevokeOutput = Infer<typeof output>;

export const revoke = defineOperation({
  name: 'revoke',
  right: 'grant',
  effect: 'acts',
  input: {
    skill: optional(text('The skill that may no longer do what it was granted.')),
    all: flag('Every skill.', { default: false }),
  },
  output,
  async run(engine, { skill, all }, request): Promise<RevokeOutput> {
    if (skill === undefined && !all) throw new SkillError('usage', 'name a skill, or use --all');
    const { grants: known } = await knownGrants(engine);
    const those = all ? known : await grantsOf(engine, known, skill ?? '');
    await takeBack(engine, those, request);
    return { revoked: those.map(({ name }) => name) };
  },
});
