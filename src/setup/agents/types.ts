import type { Format, Json, JsonMap, Path } from '../edit/types.ts';

/** Below a base folder: home, the XDG configuration folder, where applications keep their data, or one that a variable moves. */
export type Base = 'home' | 'config' | 'data' | { readonly variable: string; readonly fallback: string };

/** A file or folder that an agent has; on one system alone where that is named. */
export interface Place {
  readonly base: Base;
  readonly path: string;
  readonly on?: NodeJS.Platform;
}

/** How to start our server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** A server that runs already. */
export interface Remote {
  readonly url: string;
  /** The variable that holds its token; null where it wants none. */
  readonly tokenVariable: string | null;
}

export type Values = JsonMap;

/** What an agent's file should say of our server. */
export interface Entry {
  /** Whether the agent starts a process or goes to an address. */
  readonly kind: 'process' | 'address';
  /** Written as they are here. */
  readonly set: Values;
  /** Written where nobody has chosen otherwise. */
  readonly defaults: Values;
  /** Taken out: they would mean another way to connect. */
  readonly drop: readonly string[];
}

/** How an agent's file has a value taken from the environment. */
export interface Variables {
  /** How a variable is written. */
  write(name: string): string;
  /** Finds such a place; its first group is the name. */
  readonly pattern: RegExp;
}

/** How servers look in the files of an agent, and of all that took over its format. */
export interface Shape {
  stdio(launch: Launch, name: string): Entry;
  /** Null where the file knows no servers over HTTP. */
  readonly http: ((remote: Remote, name: string) => Entry) | null;
  /** Null where the file takes nothing from the environment. */
  readonly variables: Variables | null;
}

export type Scope = 'global' | 'project';

/** The words with which an agent's own program does the same; null where it cannot. */
export interface OwnCommand {
  stdio(name: string, scope: Scope, launch: Launch): readonly string[] | null;
  http(name: string, scope: Scope, url: string): readonly string[] | null;
  remove(name: string, scope: Scope): readonly string[] | null;
}

/** What an agent may call without asking: tools that only look at skills, or those that run something too. */
export const approvalLevels = ['read', 'all'] as const;
export type Approved = (typeof approvalLevels)[number];

/** Texts that a list in a settings file should hold. */
export interface ListItems {
  readonly at: Path;
  readonly items: readonly string[];
}

/** Keys of our entry that approve so much, and those that would approve more. */
export type ApprovalKeys = (level: Approved) => { readonly set: Values; readonly drop: readonly string[] };

/** How an agent is told not to ask before it calls our tools: in our entry, or by rules in another file. */
export interface Approval {
  /** What it asks for as long as it is told nothing. */
  readonly asks: string;
  /** What it never asks about. */
  readonly unasked?: Approved;
  /** What its files can approve. */
  readonly levels: readonly Approved[];
  /** The command line that approves all tools for one session, where no file can. */
  readonly command?: (server: string) => string;
  readonly keys?: ApprovalKeys;
  readonly rules?: {
    readonly global: Place;
    /** Below the project's folder. */
    readonly project: string;
    lists(server: string, scope: Scope, level: Approved): readonly ListItems[];
  };
}

/** How an agent is told that a folder is trusted, where it waits for that. */
export interface Trust {
  /** Whose entries it does not use before. */
  readonly scopes: readonly Scope[];
  readonly file: Place;
  readonly format: Format;
  at(folder: string): Path;
  readonly value: string | boolean;
  /** What stands there before anybody has answered. */
  readonly unanswered?: boolean;
  /** Whether the folder is trusted by what is said of others. */
  isInherited?(settings: Json | undefined, folder: string): boolean;
}

/** One agent: its files, how they look, and how it connects. */
export interface SetupAgent {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly format: Format;
  /** The keys below which servers stand. */
  readonly at: readonly string[];
  /** Its file for all projects: the first that is there, or else the last. */
  readonly global: readonly Place[];
  /** Its file in a project, chosen in the same way; none where it has none. */
  readonly project: readonly string[];
  /** Files of a project that it reads as well. They are another agent's to write. */
  readonly alsoReads?: readonly string[];
  /** What only an installed agent leaves behind. */
  readonly traces: readonly Place[];
  /** Its programs, as they are called on a command line. */
  readonly programs: readonly string[];
  readonly shape: Shape;
  /** Whether it is started from a menu, where nobody's shell has said where `node` is. */
  readonly isApp: boolean;
  /** Whether it takes the documented names of tools, dots and slashes and all. */
  readonly toolNames: 'documented' | 'portable';
  /** What names of tools it can use. */
  readonly names: NameRule;
  /** How long it waits for a server to start. */
  readonly startMs: number;
  /** The key by which a file sets that, and how many milliseconds its unit has. */
  readonly startKey?: { readonly key: string; readonly unitMs: number };
  /** What it says of itself when it connects, and in which revision of the protocol. */
  readonly client: { readonly name: string; readonly protocol: string };
  readonly ownCommand?: OwnCommand;
  /** Missing where it is not known to ask, or not known how to tell it. */
  readonly approval?: Approval;
  /** Missing where it is not known to wait for trust in a folder. */
  readonly trust?: Trust;
  /** What a person must do or know afterwards. */
  readonly notes: readonly string[];
}

export interface NameRule {
  readonly pattern: RegExp;
  /** How long a server's name and a tool's may be together. */
  readonly together: number;
}
