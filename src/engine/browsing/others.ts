import { namesakesOf, skillsNamed } from '../../registry/names.ts';
import { distinctName } from '../../registry/resolve.ts';
import { reasonFor } from '../../registry/settle.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';
import { type Contender, contender } from '../operations/why.ts';

/** The other skills of the same name, each with how it stands to this one. */
export function othersOf(skill: Skill, snapshot: Snapshot): Contender[] {
  const named = skillsNamed(snapshot, 'full', skill.fullName)?.skills ?? [];
  const others = [...named.filter((other) => other !== skill), ...namesakesOf(snapshot, skill)];
  return others.map((other) => contender(other, relationOf(other, skill, snapshot)));
}

function relationOf(other: Skill, skill: Skill, snapshot: Snapshot): string {
  const above = snapshot.shadowedBy(other);
  if (snapshot.shadowedBy(skill) === other) return `it hides this one: ${reasonFor(other, skill)}`;
  if (above === skill) return `this one hides it: ${reasonFor(skill, other)}`;
  if (above !== undefined) return `${above.file} hides it: ${reasonFor(above, other)}`;
  return `ask for ${distinctName(snapshot, other)}`;
}
