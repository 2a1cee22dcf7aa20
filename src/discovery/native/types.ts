import type { Agent, Listing, Native, Outcome } from '../../agents/types.ts';
import type { Skill } from '../../skill/types.ts';
import type { Root } from '../roots.ts';
import type { TraitName } from './traits.ts';

/** How an agent, left to itself, treats one skill. */
export type SightState =
  /** It tells its model of the skill, with all that the author wrote. */
  | 'listed'
  /** The same, with less of the description, but enough to go by. */
  | 'shortened'
  /** Its model gets the name and next to nothing else. */
  | 'bare'
  /** It has loaded the skill, and its list has no room for it. */
  | 'omitted'
  /** Its parser, or its search, passes the skill over, or it leaves the skill to people to call. */
  | 'lost'
  /** It takes another skill of the same name. */
  | 'hidden'
  /** It finds several of that name, and nobody knows which one it takes. */
  | 'rival'
  /** It does not look where the skill lies. */
  | 'elsewhere'
  /** What it makes of this skill is not known. */
  | 'unsure';

export type Sees = 'yes' | 'no' | 'cut' | 'unknown';

export interface Sight {
  readonly state: SightState;
  readonly sees: Sees;
  /** In words, with the agent called by its name. */
  readonly reason: string;
  /** How many characters of the description its model gets; null where that is not known. */
  readonly characters: number | null;
}

/** What is unusual about how a SKILL.md is written. */
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
  /** Whether the folder so far down the trail holds a SKILL.md too; the root is 0. */
  readonly isSkill: (depth: number) => boolean;
  /** Whether the file starts with a byte order mark; only asked where it matters, for it takes a look at the file. */
  readonly startsWithMark: () => boolean;
  /** In bytes; this takes a look at the file, too. */
  readonly size: () => number;
  /** Whether `agents/openai.yaml` says that only people may call it. */
  readonly isForPeopleInCodex: () => boolean;
}

/** An agent whose own reading of skills is known, with everything that its object leaves unsaid. */
export interface NativeAgent
  extends Pick<Agent, 'id' | 'name'>,
    Omit<Required<Native>, 'traits' | 'listing' | 'spares'> {
  /** Its id, and all other names it goes by. */
  readonly names: readonly string[];
  readonly traits: ReadonlyMap<TraitName, Outcome>;
  /** Null where nothing is known of its list. */
  readonly listing: Listing | null;
  /** Null where that is not known. */
  readonly spares: NonNullable<Native['spares']> | null;
}
