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

/** How something is known of an agent, and since when. */
export interface Source {
  /** Only what was seen by running the agent is relied on: what is known in any other way leaves no skill out. */
  readonly by: 'run' | 'source' | 'documentation' | 'installer';
  /** The version that was run; null for anything else. */
  readonly version: string | null;
  /** The day of the run, or of the text, as YYYY-MM-DD. */
  readonly date: string;
}

/** A folder that an agent reads, or the plugins that it loads. */
export interface Place {
  readonly provider: string;
  readonly location: 'project' | 'global' | 'plugin';
  /** As people write it. */
  readonly shown: string;
  /** Which folders of a project it looks in: the one it starts in, the top of the repository, or both and all between. */
  readonly folders: 'start' | 'top' | 'all';
  /** Where it is not that of the agent's row. */
  readonly source?: Source;
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

/** What an agent does with skills that have some trait. One that its row does not mention is not known. */
export type Outcome = 'listed' | 'manual' | 'lost' | 'unsure';

/** How much an agent tells its model of all skills together. */
export interface Listing {
  /** No description gets more characters than this. */
  readonly most: number;
  /** Room for the skills that are found here, as measured by `overhead`; the smallest first. */
  readonly rooms: readonly Room[];
  /** What happens when there is no room for everything. */
  readonly overflow: 'shortens evenly' | 'drops descriptions' | 'not known';
  /** What an entry takes beside the description. */
  readonly overhead: (entry: { readonly name: string; readonly file: string }) => number;
}

export interface Room {
  readonly characters: number;
  /** The models, or the size of the context, that it was seen with. */
  readonly with: string;
}

export interface NativeAgent {
  /** As the common installer spells it. */
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** What the row rests on, where a place does not say otherwise. */
  readonly source: Source;
  /** Strongest first. */
  readonly places: readonly Place[];
  readonly traits: Readonly<Partial<Record<TraitName, Outcome>>>;
  /** What becomes of skills that share a name. */
  readonly sameName: 'all' | 'first' | 'unknown';
  /** What it calls a skill that is no plugin's. */
  readonly label: 'name' | 'folder';
  /** Null where nothing is known of its list. */
  readonly listing: Listing | null;
  /** What it does without: a skill that lacks these is not lost. Null where that is not known. */
  readonly spares: readonly ('name' | 'description' | 'front matter')[] | null;
}
