import { byText } from '../../kernel/text.ts';
import { createSlicer } from '../../kernel/time-slice.ts';
import { distinctName, resolveName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { isUserInvocable } from '../../skill/invocation.ts';
import type { Skill } from '../../skill/types.ts';

/** A skill under the name by which exactly it can be asked for. */
export interface PromptSkill {
  readonly name: string;
  readonly skill: Skill;
}

export interface PromptSkills {
  /** In order of their names. */
  readonly sorted: readonly PromptSkill[];
  readonly byName: ReadonlyMap<string, Skill>;
}

const known = new WeakMap<Snapshot, Promise<PromptSkills>>();

/** The skills that users may call. Found out once for each snapshot, while other work goes on. */
export function promptSkillsOf(snapshot: Snapshot): Promise<PromptSkills> {
  let skills = known.get(snapshot);
  if (skills === undefined) {
    skills = collect(snapshot);
    known.set(snapshot, skills);
  }
  return skills;
}

async function collect(snapshot: Snapshot): Promise<PromptSkills> {
  const byName = new Map<string, Skill>();
  const slicer = createSlicer();
  for (const skill of snapshot.visible.filter(isUserInvocable)) {
    const name = distinctName(snapshot, skill);
    if (means(snapshot, name, skill)) byName.set(name, skill);
    if (slicer.isDue) await slicer.pause();
  }
  const sorted = [...byName].map(([name, skill]) => ({ name, skill })).sort((a, b) => byText(a.name, b.name));
  return { sorted, byName };
}

/** There may be none: a copy that another hides can be shown, and yet not be asked for. */
function means(snapshot: Snapshot, name: string, skill: Skill): boolean {
  const resolution = resolveName(snapshot, name);
  return resolution.kind === 'found' && resolution.skill === skill;
}
