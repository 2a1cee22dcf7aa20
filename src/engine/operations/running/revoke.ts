import { SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, object, optional, text } from '../../../core/schema/schema.ts';
import { resolveName } from '../../../registry/resolve.ts';
import { listGrants } from '../../../run/policy/grants.ts';
import type { Grant } from '../../../run/policy/types.ts';
import type { Engine } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { takeBack } from '../../running/permissions/granting.ts';

const output = object({ revoked: list(text(), 'The skills whose grants are gone.') });
export type RevokeOutput = Infer<typeof output>;

export const revoke = defineOperation({
  name: 'revoke',
  effect: 'acts',
  input: {
    skill: optional(text('The skill that may no longer do what it was granted.')),
    all: flag('Every skill.', { default: false }),
  },
  output,
  async run(engine, { skill, all }, request): Promise<RevokeOutput> {
    if (skill === undefined && !all) throw new SkillError('usage', 'name a skill, or use --all');
    const { grants: known } = listGrants(engine.environment);
    const those = all ? known : await grantsOf(engine, known, skill ?? '');
    await takeBack(engine, those, request);
    return { revoked: those.map(({ name }) => name) };
  },
});

/** Finds grants by the skill's name now, or by the name it had: a grant must be revocable when the skill is gone. */
async function grantsOf(engine: Engine, known: readonly Grant[], name: string): Promise<readonly Grant[]> {
  const found = resolveName(await engine.registry.snapshot(), name);
  const skill = found.kind === 'found' ? found.skill : undefined;
  const those = known.filter((grant) => grant.skill === skill?.id || grant.name.toLowerCase() === name.toLowerCase());
  if (those.length > 0) return those;
  throw new SkillError('not-found', `nothing is granted to '${name}'`, {
    suggestions: known.map((grant) => grant.name),
    hint: '`repertoire grants` lists what is.',
  });
}
