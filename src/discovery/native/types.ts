import type { Agent, Listing, Native, Outcome } from '../../agents/types.ts';
import type { Skill } from '../../skill/types.ts';
import type { Root } from '../roots.ts';
import type { TraitName } from './traits.ts';

/** The treatment of one skill by an agent, left to itself. */
export type SightState =
  /** The agent lists the skill to its model, with everything that the author wrote. */
  | 'listed'
  /** The agent lists it with less of the description, but enough to go by. */
  | 'shortened'
  /** The model gets the name and next to nothing else. */
  | 'bare'
  /** The agent has loaded the skill, and its list has no room for it. */
  | 'omitted'
  /** The agent's parser or search passes the skill over, or it leaves calling the skill to people. */
  | 'lost'
  /** The agent takes another skill of the same name. */
  | 'hidden'
  /** The agent finds several of that name, and it is not known which one it takes. */
  | 'rival'
  /** The agent does not look where the skill lies. */
  | 'elsewhere'
  /** The agent's treatment of this skill is not known. */
  | 'unsure';

export type Sees = 'yes' | 'no' | 'cut' | 'unknown';

export interface Sight {
  readonly state: SightState;
  readonly sees: Sees;
  /** The reason in words, with the agent called by its name. */
  readonly reason: string;
  /** Number of characters of the description that its model gets; null where that is not known. */
  readonly characters: number | null;
}

/** An oddity in how a SKILL.md is written. */
export type Flaw =
  /** A plain value holds a colon and a space, which strict YAML refuses. */
  | 'colon'
  /** Strict YAML refuses its front matter for another reason. */
  | 'yaml'
  /** The lines around the front matter, or its fields, are not as they should be. */
  | 'odd';

/** A skill as an agent would come upon it. */
export interface Candidate {
  readonly skill: Skill;
  readonly root: Root;
  /** The folders from below the root down to the skill's own. */
  readonly trail: readonly string[];
  readonly flaws: ReadonlySet<Flaw>;
  /** Whether the folder at this depth of the trail holds a SKILL.md too; the root is 0. */
  readonly isSkill: (depth: number) => boolean;
  /** Whether the file starts with a byte order mark; called only where it matters, because it reads the file. */
  readonly startsWithMark: () => boolean;
  /** The size in bytes; this reads the file, too. */
  readonly size: () => number;
  /** Whether `agents/openai.yaml` says that only people may call it. */
  readonly isForPeopleInCodex: () => boolean;
}

/** An agent whose own reading of skills is known, with every default filled in. */
export interface NativeAgent
  extends Pick<Agent, 'id' | 'name'>,
    Omit<Required<Native>, 'traits' | 'listing' | 'spares'> {
  /** The id, and all other names it goes by. */
  readonly names: readonly string[];
  readonly traits: ReadonlyMap<TraitName, Outcome>;
  /** The agent's list of skills; null where nothing is known of it. */
  readonly listing: Listing | null;
  /** The parts that it does without; null where that is not known. */
  readonly spares: NonNullable<Native['spares']> | null;
}
