import { basename, dirname, sep } from 'node:path';
import type { Outcome, Reading } from '../../agents/types.ts';
import type { Skill } from '../../skill/types.ts';
import type { Scan } from '../scan.ts';
import { isRelied, words } from './agents.ts';
import { beginningOf, flawsByFile, isForPeopleInCodex } from './flaws.ts';
import { ranksFor, rootsAbove } from './reach.ts';
import { type TraitName, traitNames, traits } from './traits.ts';
import type { Candidate, Flaw, NativeAgent, Sees, Sight, SightState } from './types.ts';

/** A skill that an agent loads, as far as the traits of single skills go. */
export interface Loaded {
  readonly skill: Skill;
  /** The index of the place among those that the agent reads; plugins come after all of them. */
  readonly place: number;
  /** Whether the agent leaves calling it to people. */
  readonly isManual: boolean;
}

const seesOf: Readonly<Record<SightState, Sees>> = {
  listed: 'yes',
  shortened: 'cut',
  bare: 'cut',
  omitted: 'cut',
  lost: 'no',
  hidden: 'no',
  rival: 'unknown',
  elsewhere: 'no',
  unsure: 'unknown',
};

/** States in which the agent's model has the skill, and enough to go by. */
export const covering: ReadonlySet<SightState> = new Set(['listed', 'shortened']);

export function sightOf(state: SightState, reason: string, characters: number | null = null): Sight {
  return { state, sees: seesOf[state], reason, characters };
}

const noFlaws: ReadonlySet<Flaw> = new Set();

/** Returns a function that decides how an agent treats a skill: as one that it loads, or why it does not. */
export function createMeeting(agent: NativeAgent, scan: Scan): (skill: Skill) => Loaded | Sight {
  const map = rootsAbove(scan);
  const rankOf = ranksFor(agent);
  const flaws = flawsByFile(scan.diagnostics);
  const taken = new Set([
    ...scan.skills.map(({ dir }) => dir),
    ...scan.diagnostics.filter(({ file }) => basename(file) === 'SKILL.md').map(({ file }) => dirname(file)),
  ]);
  return (skill) => {
    const verdicts = map
      .reachesOf(skill.dir, skill.id)
      .filter(({ root }) => rankOf(root) >= 0)
      .sort((a, b) => rankOf(a.root) - rankOf(b.root))
      .map(({ root, trail }) => {
        const candidate: Candidate = {
          ...{ skill, root, trail },
          flaws: flaws.get(skill.file) ?? noFlaws,
          isSkill: (depth) => taken.has([root.path, ...trail.slice(0, depth)].join(sep)),
          startsWithMark: () => beginningOf(skill).isMarked,
          size: () => beginningOf(skill).size,
          isForPeopleInCodex: () => isForPeopleInCodex(skill),
        };
        return judged(agent, candidate, rankOf(root));
      });
    // One folder that leads the agent to the skill is enough.
    return verdicts.find((one) => 'place' in one) ?? verdicts[0] ?? sightOf('elsewhere', elsewhere(agent, skill));
  };
}

/** Outcomes by gravity: of several traits, the gravest decides. */
const gravity: readonly (Outcome | 'unsure')[] = ['lost', 'unsure', 'manual'];

function judged(agent: NativeAgent, candidate: Candidate, rank: number): Loaded | Sight {
  const place = agent.places[rank] as Reading;
  const source = place.source ?? agent.source;
  if (!isRelied(source)) {
    const says = `${agent.name} reads this ${kindOf(place)} according to ${words(source)}`;
    return sightOf('unsure', `${says}, but was not seen to`);
  }
  const outcomeOf = (name: TraitName): Outcome | 'unsure' => agent.traits.get(name) ?? 'unsure';
  // Traits that make no difference to the agent are not checked: some checks read the disk.
  const [gravest] = traitNames
    .filter((name) => outcomeOf(name) !== 'listed' && traits[name].has(candidate))
    .sort((a, b) => gravity.indexOf(outcomeOf(a)) - gravity.indexOf(outcomeOf(b)));
  const outcome = gravest === undefined ? 'listed' : outcomeOf(gravest);
  const { skill } = candidate;
  if (gravest === undefined || outcome === 'manual') return { skill, place: rank, isManual: outcome === 'manual' };
  const does = outcome === 'lost' ? 'does not' : 'may not';
  return sightOf(
    outcome === 'lost' ? 'lost' : 'unsure',
    `${agent.name} ${does} show a skill with ${traits[gravest].shown}`,
  );
}

function kindOf({ location }: Reading): string {
  return location === 'plugin' ? 'plugin' : 'folder';
}

function elsewhere({ name, places, source }: NativeAgent, skill: Skill): string {
  if (places.length === 0) return `${name} reads no folder of skills`;
  const does = isRelied(source) ? 'does not' : 'is not known to';
  return skill.plugin === null ? `${name} ${does} read this folder` : `${name} ${does} load this plugin`;
}
