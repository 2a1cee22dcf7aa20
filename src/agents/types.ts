/**
 * An agent as Repertoire knows it: where it keeps skills, what it reads by itself, how it is connected. Everything that
 * is said or done about agents is derived from these objects.
 */
export interface Agent {
  /** The id that installers of skills use. */
  readonly id: string;
  readonly name: string;
  /** Other names that people type for it. */
  readonly aliases?: readonly string[];
  /** Folders of its own; missing where it has none. */
  readonly folders?: Folders;
  /** The agent's own handling of skills; missing where nothing is known of what it reads. */
  readonly native?: Native;
  /** The connection to our server; missing where `setup` cannot connect it. */
  readonly setup?: Setup;
}

/**
 * A base folder: home, the XDG configuration folder, the one of applications, the machine's own, or one that a variable
 * moves.
 */
export type Base = 'home' | 'config' | 'data' | 'system' | { readonly variable: string; readonly fallback: string };

/** A file or folder that an agent has; on one system only where that is named. */
export type Place = readonly [base: Base, path: string, on?: NodeJS.Platform];

/**
 * The folders where an agent keeps skills. The order of the list of agents, and then that of these folders, is their
 * rank.
 */
export interface Folders {
  /** The provider name that its skills carry. */
  readonly provider: string;
  /** Other spellings, accepted wherever a provider is named. */
  readonly aliases?: readonly string[];
  /** Paths relative to each project folder. A `*` at the end stands for any ending. */
  readonly project: readonly string[];
  /** The global folders; missing where they are the project's paths below home. */
  readonly global?: readonly Place[];
  /** The folder of its plugins, which are searched as well. */
  readonly plugins?: Place;
}

/** The source of a fact about an agent, and its date. */
export interface Source {
  /**
   * The kind of evidence. Only what was seen by running the agent is relied on: any other knowledge leaves no skill
   * out.
   */
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
  /** The path as people write it. */
  readonly shown: string;
  /**
   * The folders of a project that it looks in: the one it starts in, the top of the repository, or both and all
   * between.
   */
  readonly folders: 'start' | 'top' | 'all';
  /** The source, where it is not that of the agent's row. */
  readonly source?: Source;
}

/** The treatment by an agent of skills that have some trait. */
export type Outcome = 'listed' | 'manual' | 'lost';

/** The handling of skills by an agent itself. */
export interface Native {
  /** The evidence for the rules, where one does not say otherwise. */
  readonly source: Source;
  /** The folders that it reads, strongest first. */
  readonly places: readonly Reading[];
  /**
   * Names of traits (`discovery/native/traits.ts`), by outcome. A trait that is not mentioned was seen to go either
   * way, or was not tried: what the agent makes of it is not known.
   */
  readonly traits?: Readonly<Partial<Record<Outcome, string>>>;
  /** The handling of skills that share a name; `unknown` by default. */
  readonly sameName?: 'all' | 'first' | 'unknown';
  /** The label of a skill that is not a plugin's; its name by default. */
  readonly label?: 'name' | 'folder';
  /** The agent's list of skills; missing where nothing is known of it. */
  readonly listing?: Listing;
  /** Parts that it does without: a skill that lacks these is not lost. Missing where that is not known. */
  readonly spares?: readonly ('name' | 'description' | 'front matter')[];
}

/** The list of all skills that an agent gives to its model. */
export interface Listing {
  /** The maximum number of characters of a description. */
  readonly most: number;
  /** Room for the skills that are found here, as measured by `overhead`; the smallest first. */
  readonly rooms: readonly Room[];
  /** The behaviour when there is no room for everything. */
  readonly overflow: 'shortens evenly' | 'drops descriptions' | 'not known';
  /** Characters that an entry takes beside its description. */
  readonly overhead: (entry: { readonly name: string; readonly file: string }) => number;
}

export interface Room {
  readonly characters: number;
  /** The models, or the size of the context, that it was seen with. */
  readonly with: string;
}

/** The file of an agent: the one for all projects, or the one of a project. */
export type Scope = 'global' | 'project';

/** The connection of an agent: its files, their format, and what it asks for. */
export interface Setup {
  /** The id in `setup`, where that is another one. */
  readonly id?: string;
  /** The format of its file; JSON by default. */
  readonly format?: 'json' | 'toml' | 'yaml';
  /** The keys below which servers stand; `mcpServers` by default. */
  readonly at?: readonly string[];
  /** The file for all projects: the first that exists, or else the last. */
  readonly global: readonly Place[];
  /** The file in a project, chosen likewise; missing where it has none. */
  readonly project?: readonly string[];
  /** Files of a project that it reads as well. Another agent writes them. */
  readonly alsoReads?: readonly string[];
  /** Traces that only an installed agent leaves behind. */
  readonly traces: readonly Place[];
  /** Programs of the agent, as they are called on a command line. */
  readonly programs?: readonly string[];
  readonly entry: EntryStyle;
  /** Whether it is started from a menu, where no shell has set where `node` is; true by default. */
  readonly isApp?: boolean;
  /** Whether it accepts the documented names of tools, including dots and slashes; portable ones by default. */
  readonly toolNames?: 'documented' | 'portable';
  /** The names of tools that it can use; strict by default. */
  readonly names?: NameRule;
  /** Milliseconds for which it waits for a server to start; a minute by default. */
  readonly startMs?: number;
  /** The key that sets this in its file, and the milliseconds of its unit. */
  readonly startKey?: { readonly key: string; readonly unitMs: number };
  /** The client name that it sends when it connects, and its revision of the protocol. */
  readonly client: { readonly name: string; readonly protocol: string };
  readonly ownCommand?: OwnCommand;
  /** The way to approve our tools; missing where it is not known to ask, or not known how to configure it. */
  readonly approval?: Approving;
  /** The way to trust a folder; missing where it is not known to wait for that. */
  readonly trust?: Trust;
  /** Instructions for a person afterwards. */
  readonly notes?: readonly string[];
}

type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The format of a server's entry in an agent's file. */
export interface EntryStyle {
  /** The command and its arguments apart, in one list, or as an extension of Goose; apart by default. */
  readonly layout?: 'apart' | 'one list' | 'extension';
  /**
   * Further fields of an entry that starts a process, of one with an address, and of both unless a person has chosen
   * otherwise.
   */
  readonly process?: Values;
  readonly address?: Values;
  readonly defaults?: Values;
  /** The key of the address; null where the file supports none. */
  readonly urlKey: 'url' | 'httpUrl' | 'serverUrl' | 'uri' | null;
  /**
   * The syntax of a variable in the file: `${NAME}`, `${env:NAME}`, `{env:NAME}`, or a key of its own; null where it
   * has none.
   */
  readonly variables: 'braces' | 'env braces' | 'bare braces' | 'own key' | null;
}

export interface NameRule {
  readonly pattern: RegExp;
  /** The maximum length of a server's name and a tool's together. */
  readonly together: number;
}

/** The command that starts our server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command lines by which an agent's own program makes the same changes; null where it cannot. */
export interface OwnCommand {
  stdio(name: string, scope: Scope, launch: Launch): readonly string[] | null;
  http(name: string, scope: Scope, url: string): readonly string[] | null;
  remove(name: string, scope: Scope): readonly string[] | null;
}

/** The tools that an agent may call without asking: those that only read skills, or those that run something too. */
export type Approved = 'read' | 'all';

/** Texts that a list in a settings file should hold. */
export interface ListItems {
  readonly at: readonly string[];
  readonly items: readonly string[];
}

/** The ways to configure an agent not to ask before it calls our tools. Without any of them, no file can do it. */
export interface Approving {
  /** The confirmation that it asks for by default. */
  readonly asks: string;
  /** The tools that it never asks about. */
  readonly unasked?: Approved;
  /** The key of our entry, and its value, that approves all tools of a server. */
  readonly allBy?: readonly [key: string, value: string | boolean];
  /** The key of our entry that lists the tools that are approved. */
  readonly toolsIn?: string;
  /** Rules in another file, for the tools of these documented names. */
  readonly rules?: {
    readonly global: Place;
    /** The path below the project's folder. */
    readonly project: string;
    lists(server: string, scope: Scope, tools: readonly string[]): readonly ListItems[];
  };
  /** The command line that approves all tools for one session, where no file can. */
  readonly command?: (server: string) => string;
}

/** The way to mark a folder as trusted, where an agent waits for that. */
export interface Trust {
  /** The scopes whose entries it ignores until then. */
  readonly scopes: readonly Scope[];
  readonly file: Place;
  readonly format: 'json' | 'toml' | 'yaml';
  at(folder: string): readonly string[];
  readonly value: string | boolean;
  /** The value before anybody has answered. */
  readonly unanswered?: boolean;
  /** Whether the folder is trusted because of what is set for others. */
  isInherited?(settings: unknown, folder: string): boolean;
}
