import { basename } from 'node:path';
import { addTo } from '../../kernel/groups.ts';
import { normalize } from '../../kernel/text.ts';
import type { Skill } from '../../skill/types.ts';
import type { Loaded } from './meeting.ts';
import { sightOf } from './sights.ts';
import type { NativeAgent, Sight } from './types.ts';

/** Keeps one of each name where the agent does, and says so of the others. Returns what is left, strongest first. */
export function settleNames(
  agent: NativeAgent,
  loaded: readonly Loaded[],
  sights: Map<Skill, Sight>,
): readonly Loaded[] {
  const order = [...loaded].sort((a, b) => a.place - b.place || a.skill.rank - b.skill.rank);
  if (agent.sameName === 'all') return order;
  const groups = new Map<string, Loaded[]>();
  for (const one of order) addTo(groups, labelFor(agent, one.skill), one);
  return [...groups.values()].flatMap((group) => {
    if (group.length === 1) return group;
    // Of copies it does not matter which one is taken.
    const isOneText = group.every(({ skill }) => skill.digest === group[0]?.skill.digest);
    if (agent.sameName === 'unknown' && !isOneText) {
      const reason = `${agent.name} finds ${group.length} skills of this name, and which one it takes is not known`;
      for (const { skill } of group) sights.set(skill, sightOf('rival', reason));
      return [];
    }
    const [first, ...others] = group as [Loaded, ...Loaded[]];
    const where = agent.places[first.place]?.shown;
    for (const { skill } of others) {
      sights.set(skill, sightOf('hidden', `${agent.name} takes another skill of this name, from ${where}`));
    }
    return [first];
  });
}

/** What the agent calls a skill. */
export function labelFor({ label }: NativeAgent, skill: Skill): string {
  const { dir, plugin, pluginName, name } = skill;
  if (plugin === null) return normalize(label === 'folder' ? basename(dir) : name);
  return normalize(`${pluginName}:${name}`);
}
