import type { Skill } from '../../skill/types.ts';
import type { Scan } from '../scan.ts';
import { flawsByFile, startsWithMark } from './flaws.ts';
import { ranksFor, rootsAbove } from './reach.ts';
import { sightOf } from './sights.ts';
import type { Candidate, Flaw, NativeAgent, Rule, Sight } from './types.ts';

/** A skill that an agent loads, as far as its rules about single skills go. */
export interface Loaded {
  readonly skill: Skill;
  /** The place among those that the agent reads; plugins come after all of them. */
  readonly place: number;
  /** What the rules had to say, if anything. */
  readonly sight: Sight | null;
}

const noFlaws: ReadonlySet<Flaw> = new Set();

/** Tells how an agent meets one skill after the other: as one that it loads, or why it does not. */
export function createMeeting(agent: NativeAgent, scan: Scan): (skill: Skill) => Loaded | Sight {
  const map = rootsAbove(scan);
  const rankOf = ranksFor(agent);
  const flaws = flawsByFile(scan.diagnostics);
  return (skill) => {
    const reaches = map.reachesOf(skill.dir, skill.id).filter(({ root }) => rankOf(root) >= 0);
    if (reaches.length === 0) return sightOf('elsewhere', elsewhere(agent, skill));
    const candidates = reaches
      .map(
        (reach): Candidate => ({
          ...reach,
          skill,
          flaws: flaws.get(skill.file) ?? noFlaws,
          startsWithMark: () => startsWithMark(skill),
        }),
      )
      .sort((a, b) => rankOf(a.root) - rankOf(b.root));
    // By whichever of its folders the agent comes, it is enough that one way leads there.
    const passing = candidates.find((one) => broken(agent, one, 'place') === undefined);
    const candidate = passing ?? (candidates[0] as Candidate);
    const rule = broken(agent, candidate, passing === undefined ? 'place' : 'text');
    return judged(agent, candidate, rule, rankOf(candidate.root));
  };
}

function judged(agent: NativeAgent, candidate: Candidate, rule: Rule | undefined, place: number): Loaded | Sight {
  const { skill } = candidate;
  if (rule === undefined) return { skill, place, sight: null };
  const sight = sightOf(rule.state, `${agent.name} ${rule.words(candidate)}`, rule.state === 'bare' ? 0 : null);
  return rule.state === 'lost' || rule.state === 'unsure' ? sight : { skill, place, sight };
}

const gravity: readonly Rule['state'][] = ['lost', 'unsure', 'bare', 'listed'];

/** The rule that decides about a skill: the gravest of those that it runs into. */
function broken({ rules }: NativeAgent, candidate: Candidate, about: Rule['about']): Rule | undefined {
  return rules
    .filter((rule) => rule.about === about && rule.hits(candidate))
    .sort((a, b) => gravity.indexOf(a.state) - gravity.indexOf(b.state))[0];
}

function elsewhere({ name, places }: NativeAgent, skill: Skill): string {
  if (places.length === 0) return `${name} reads no folder of skills`;
  return skill.plugin === null ? `${name} does not read this folder` : `${name} does not load this plugin`;
}
