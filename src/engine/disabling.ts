import { realPathOrSelf } from '../core/disk/files.ts';
import { expandPath } from '../core/disk/paths.ts';
import { isMeant } from '../registry/filters.ts';
import { requireSkill } from '../registry/resolve.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../skill/types.ts';
import { agentsSeeing, requireAgent } from './agents/native.ts';
import type { Engine } from './engine.ts';

/** The key of the list of disabled skills in a file of settings. */
export const disabledKey = 'disabled';

/** The skills that a name or a folder means, and how they are written down. */
export interface Meant {
  readonly entry: string;
  readonly skills: readonly Skill[];
}

/** The entry for what was typed: a path leads to a real folder, and anything else is a name. */
export function entryOf(typed: string, { environment }: Engine): string {
  return /^(?:[/~]|\.{1,2}(?:\/|$))/.test(typed) ? realPathOrSelf(expandPath(typed, environment)) : typed.trim();
}

/**
 * Finds what is to be disabled. A folder means the skill in it, whatever that is called; a name means every skill that
 * can be asked for by it, copies included: otherwise a copy would take the place of the one that is gone.
 */
export function meantBy(typed: string, snapshot: Snapshot, engine: Engine): Meant {
  const entry = entryOf(typed, engine);
  const skills = skillsOf(entry, snapshot);
  if (skills.length > 0) return { entry, skills };
  const { fullName } = requireSkill(snapshot, typed);
  return { entry: fullName, skills: skillsOf(fullName, snapshot) };
}

export function skillsOf(entry: string, { scan }: Snapshot): readonly Skill[] {
  return scan.skills.filter((skill) => isMeant({ agent: null, skill: entry }, skill));
}

/** Names the agents that load some of these skills by themselves, from folders that no server stands before. */
export function loadedBy(skills: readonly Skill[], snapshot: Snapshot, ids: readonly string[]): readonly string[] {
  const seeing = skills.flatMap((skill) => agentsSeeing(skill, snapshot)).filter(({ sees }) => sees === 'yes');
  return [...new Set(seeing.filter(({ id }) => ids.length === 0 || ids.includes(id)).map(({ name }) => name))];
}

/** The ids of agents, by any of their names. */
export function agentIds(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => requireAgent(name).id))];
}
