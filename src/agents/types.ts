/**
 * What Repertoire knows of one agent: where it keeps skills, what it reads by itself, how it is connected. Everything
 * that is said or done about agents is derived from these objects.
 */
export interface Agent {
  /** The id that installers of skills use. */
  readonly id: string;
  readonly name: string;
  /** Other names that people type for it. */
  readonly aliases?: readonly string[];
  /** The folders that are its own; missing where it has none. */
  readonly folders?: Folders;
  /** Missing where nothing is known of what it reads. */
  readonly native?: Native;
  /** Missing where `setup` cannot connect it. */
  readonly setup?: Setup;
}

/** Below a base folder: home, the XDG configuration folder, the one of applications, the machine's own, or one that a variable moves. */
export type Base = 'home' | 'config' | 'data' | 'system' | { readonly variable: string; readonly fallback: string };

/** A file or folder that an agent has; on one system alone where that is named. */
export type Place = readonly [base: Base, path: string, on?: NodeJS.Platform];

/** Where an agent keeps skills. The order of the list of agents, and then that of these folders, is their rank. */
export interface Folders {
  /** The provider name that its skills carry. */
  readonly provider: string;
  /** Other spellings, accepted wherever a provider is named. */
  readonly aliases?: readonly string[];
  /** Relative to each project folder. A `*` at the end stands for any ending. */
  readonly project: readonly string[];
  /** Missing where the paths below home are the same. */
  readonly global?: readonly Place[];
  /** Where it keeps plugins that are searched as well. */
  readonly plugins?: Place;
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
export interface Reading {
  readonly provider: string;
  readonly location: 'project' | 'global' | 'plugin';
  /** As people write it. */
  readonly shown: string;
  /** Which folders of a project it looks in: the one it starts in, the top of the repository, or both and all between. */
  readonly folders: 'start' | 'top' | 'all';
  /** Where it is not that of the agent's row. */
  readonly source?: Source;
}

/** What an agent does with skills that have some trait. */
export type Outcome = 'listed' | 'manual' | 'lost';

/** What an agent makes of skills by itself. */
export interface Native {
  /** What the rules rest on, where one does not say otherwise. */
  readonly source: Source;
  /** Strongest first. */
  readonly places: readonly Reading[];
  /**
   * By outcome, the names of traits (`discovery/native/traits.ts`). One that is not mentioned was seen to go either way, or
   * was not tried: what the agent makes of it is not known.
   */
  readonly traits?: Readonly<Partial<Record<Outcome, string>>>;
  /** What becomes of skills that share a name; unknown if not said. */
  readonly sameName?: 'all' | 'first' | 'unknown';
  /** What it calls a skill that is no plugin's; its name if not said. */
  readonly label?: 'name' | 'folder';
  /** Missing where nothing is known of its list. */
  readonly listing?: Listing;
  /** What it does without: a skill that lacks these is not lost. Missing where that is not known. */
  readonly spares?: readonly ('name' | 'description' | 'front matter')[];
}

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

/** Which file of an agent: the one for all projects, or the one of a project. */
export type Scope = 'global' | 'project';

/** How an agent is connected: its files, how they look, and what it asks for. */
export interface Setup {
  /** Where `setup` calls it by another id. */
  readonly id?: string;
  /** JSON if not said. */
  readonly format?: 'json' | 'toml' | 'yaml';
  /** The keys below which servers stand; `mcpServers` if not said. */
  readonly at?: readonly string[];
  /** Its file for all projects: the first that is there, or else the last. */
  readonly global: readonly Place[];
  /** Its file in a project, chosen in the same way; missing where it has none. */
  readonly project?: readonly string[];
  /** Files of a project that it reads as well. They are another agent's to write. */
  readonly alsoReads?: readonly string[];
  /** What only an installed agent leaves behind. */
  readonly traces: readonly Place[];
  /** Its programs, as they are called on a command line. */
  readonly programs?: readonly string[];
  readonly entry: EntryStyle;
  /** Whether it is started from a menu, where nobody's shell has said where `node` is; yes if not said. */
  readonly isApp?: boolean;
  /** Whether it takes the documented names of tools, dots and slashes and all; portable ones if not said. */
  readonly toolNames?: 'documented' | 'portable';
  /** What names of tools it can use; strict if not said. */
  readonly names?: NameRule;
  /** How long it waits for a server to start; a minute if not said. */
  readonly startMs?: number;
  /** The key by which a file sets that, and how many milliseconds its unit has. */
  readonly startKey?: { readonly key: string; readonly unitMs: number };
  /** What it says of itself when it connects, and in which revision of the protocol. */
  readonly client: { readonly name: string; readonly protocol: string };
  readonly ownCommand?: OwnCommand;
  /** Missing where it is not known to ask, or not known how to tell it. */
  readonly approval?: Approving;
  /** Missing where it is not known to wait for trust in a folder. */
  readonly trust?: Trust;
  /** What a person must do or know afterwards. */
  readonly notes?: readonly string[];
}

type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** How the entry of a server is written in an agent's file. */
export interface EntryStyle {
  /** The command and its arguments apart, in one list, or as an extension of Goose; apart if not said. */
  readonly layout?: 'apart' | 'one list' | 'extension';
  /** What else stands in an entry of a process, in one of an address, and in both where nobody has chosen otherwise. */
  readonly process?: Values;
  readonly address?: Values;
  readonly defaults?: Values;
  /** The key of the address; null where the file knows none. */
  readonly urlKey: 'url' | 'httpUrl' | 'serverUrl' | 'uri' | null;
  /** How the file names a variable: `${NAME}`, `${env:NAME}`, `{env:NAME}`, or in a key of its own; null where it cannot. */
  readonly variables: 'braces' | 'env braces' | 'bare braces' | 'own key' | null;
}

export interface NameRule {
  readonly pattern: RegExp;
  /** How long a server's name and a tool's may be together. */
  readonly together: number;
}

/** How to start our server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The words with which an agent's own program does the same; null where it cannot. */
export interface OwnCommand {
  stdio(name: string, scope: Scope, launch: Launch): readonly string[] | null;
  http(name: string, scope: Scope, url: string): readonly string[] | null;
  remove(name: string, scope: Scope): readonly string[] | null;
}

/** What an agent may call without asking: tools that only look at skills, or those that run something too. */
export type Approved = 'read' | 'all';

/** Texts that a list in a settings file should hold. */
export interface ListItems {
  readonly at: readonly string[];
  readonly items: readonly string[];
}

/** How an agent is told not to ask before it calls our tools. Without any of the ways, no file can tell it. */
export interface Approving {
  /** What it asks for as long as it is told nothing. */
  readonly asks: string;
  /** What it never asks about. */
  readonly unasked?: Approved;
  /** The key of our entry, and its value, that approves all tools of a server. */
  readonly allBy?: readonly [key: string, value: string | boolean];
  /** The key of our entry that lists the tools that are approved. */
  readonly toolsIn?: string;
  /** Rules in another file, for the tools of these documented names. */
  readonly rules?: {
    readonly global: Place;
    /** Below the project's folder. */
    readonly project: string;
    lists(server: string, scope: Scope, tools: readonly string[]): readonly ListItems[];
  };
  /** The command line that approves all tools for one session, where no file can. */
  readonly command?: (server: string) => string;
}

/** How an agent is told that a folder is trusted, where it waits for that. */
export interface Trust {
  /** Whose entries it does not use before. */
  readonly scopes: readonly Scope[];
  readonly file: Place;
  readonly format: 'json' | 'toml' | 'yaml';
  at(folder: string): readonly string[];
  readonly value: string | boolean;
  /** What stands there before anybody has answered. */
  readonly unanswered?: boolean;
  /** Whether the folder is trusted by what is said of others. */
  isInherited?(settings: unknown, folder: string): boolean;
}
