import type { Skill } from '../../skill/types.ts';
import type { Root } from '../roots.ts';

/** How an agent, left to itself, meets one skill. */
export type SightState =
  /** It tells its model of the skill, with all that the author wrote. */
  | 'listed'
  /** The same, with less of the description, but enough to go by. */
  | 'shortened'
  /** Its model gets the name and next to nothing else. */
  | 'bare'
  /** It has loaded the skill, and its list has no room for it. */
  | 'omitted'
  /** Its parser, or its search, passes the skill over. */
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

/** A folder that an agent reads. */
export interface Place {
  readonly provider: string;
  readonly location: 'project' | 'global';
  /** As people write it. */
  readonly shown: string;
}

/** What is unusual about how a SKILL.md is written. */
export type Flaw =
  /** Strict YAML refuses its front matter. */
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
  /** Whether the file starts with a byte order mark; only asked where it matters, for it takes a look at the file. */
  readonly startsWithMark: () => boolean;
}

/** One thing an agent does to skills of some kind. */
export interface Rule {
  /** Whether it is about where the skill lies, rather than what it says. */
  readonly about: 'place' | 'text';
  readonly state: 'lost' | 'bare' | 'unsure' | 'listed';
  readonly hits: (candidate: Candidate) => boolean;
  /** Follows the agent's name. */
  readonly words: (candidate: Candidate) => string;
}

/** How much an agent tells its model of all skills together. */
export interface Listing {
  readonly characters: number;
  /** What the number rests on. */
  readonly basis: string;
  /** No description counts for more than this. */
  readonly most: number;
  /** What is cut first when there is no room for everything. */
  readonly cuts: 'evenly' | 'in-order';
  /** In words, for those who want to know how far to trust the figures. */
  readonly order: string;
  /** What an entry takes beside the description. */
  readonly overhead: (entry: { readonly name: string; readonly file: string }) => number;
}

export interface NativeAgent {
  /** As the common installer spells it. */
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** What the row rests on. */
  readonly known: string;
  /** Strongest first. */
  readonly places: readonly Place[];
  /** The providers whose plugins it loads. */
  readonly plugins: readonly string[];
  readonly rules: readonly Rule[];
  /** What becomes of skills that share a name. */
  readonly sameName: 'all' | 'first' | 'unknown';
  /** What it calls a skill that is no plugin's. */
  readonly label: 'name' | 'folder';
  /** Whether a skill can ask to be called by people only. */
  readonly obeysManual: boolean;
  /** Null where it is not known to have a limit. */
  readonly listing: Listing | null;
  /** What it does without: a skill that lacks these is not lost. Null where that is not known. */
  readonly spares: readonly ('name' | 'description' | 'front matter')[] | null;
}
