import type { Skill } from '../skill/types.ts';

/** What to do when two skills that no rule tells apart share a name. */
export type OnDuplicate = 'error' | 'first';

const locationOrder = { project: 0, global: 1, plugin: 2 } as const;

/** Folders the user named, then the shared ones, then each agent's own. */
function standing(skill: Skill): number {
  if (skill.named) return 0;
  return skill.provider === 'agents' ? 1 : 2;
}

/**
 * The rules by which one of several skills of one name is meant. Returns them strongest first, and how many share
 * the first place: more than one is an ambiguity.
 */
export function settle(
  candidates: readonly Skill[],
  onDuplicate: OnDuplicate,
): { order: readonly Skill[]; winners: number } {
  const order = [...candidates].sort((a, b) => standing(a) - standing(b) || a.rank - b.rank);
  if (order.length < 2) return { order, winners: order.length };
  const top = order.filter((skill) => standing(skill) === standing(order[0] as Skill));
  // Within one provider a project's copy beats the user's; then the higher root; then the first path.
  const firsts = new Map<string, Skill>();
  for (const skill of top) {
    const rival = firsts.get(sourceOf(skill));
    if (rival === undefined || beats(skill, rival)) firsts.set(sourceOf(skill), skill);
  }
  const winners = [...firsts.values()].sort((a, b) => a.rank - b.rank);
  const rest = order.filter((skill) => !winners.includes(skill));
  return { order: [...winners, ...rest], winners: onDuplicate === 'first' ? 1 : winners.length };
}

/** Copies from one source shadow each other; two agents, or two plugins, are different sources. */
function sourceOf(skill: Skill): string {
  if (skill.named) return '';
  return skill.plugin === null ? skill.provider : `${skill.provider} ${skill.plugin}`;
}

function beats(a: Skill, b: Skill): boolean {
  const [first, second] = [locationOrder[a.location], locationOrder[b.location]];
  return first === second ? a.rank < b.rank : first < second;
}

/** Why the one beat the other, in words. */
export function reasonFor(winner: Skill, loser: Skill): string {
  if (winner.named && !loser.named) return 'a folder named by --skill-dir comes before all others';
  if (standing(winner) < standing(loser)) return "the shared agents folders come before an agent's own";
  if (winner.provider === loser.provider && winner.location !== loser.location)
    return `${winner.location} comes before ${loser.location}`;
  if (winner.rank !== loser.rank) return 'its root comes first';
  return 'its path comes first';
}
