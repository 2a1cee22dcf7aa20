import { oneLine } from '../../../core/text/text.ts';
import { distinctName } from '../../../registry/resolve.ts';
import { readGrant } from '../../../run/policy/grants.ts';
import type { Skill } from '../../../skill/types.ts';
import type { Engine } from '../../engine.ts';

/**
 * A warning for a person who has granted something to a skill of their own, and means that one: a project brings
 * another skill of that name, which comes first. Null where that is not so.
 */
export async function overshadowed({ registry, environment }: Engine, skill: Skill): Promise<string | null> {
  if (skill.location !== 'project' || skill.named) return null;
  const snapshot = await registry.snapshot();
  const granted = snapshot.skills.find(
    (one) =>
      one.fullName === skill.fullName && one.location !== 'project' && readGrant(environment, one.id).grant !== null,
  );
  if (granted === undefined) return null;
  const other = distinctName(snapshot, granted);
  const instead =
    other === skill.fullName || other === distinctName(snapshot, skill) ? '' : ` Ask for ${other} to run yours.`;
  return oneLine(
    `'${skill.fullName}' is the one of this project (${skill.dir}), not the one in ${granted.dir} that you granted something to.${instead}`,
  );
}
