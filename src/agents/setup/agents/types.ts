import type { Approved, Approving, Launch, ListItems, Place, Scope, Setup, Trust } from '../../types.ts';
import type { JsonMap } from '../edit/values.ts';

export type { Approved, Launch, ListItems, Scope, Trust };

/** A server that is already running. */
export interface Remote {
  readonly url: string;
  /** The variable that holds its token; null where it needs none. */
  readonly tokenVariable: string | null;
}

export type Values = JsonMap;

/** The entry for our server in an agent's file. */
export interface Entry {
  /** Whether the agent starts a process or connects to an address. */
  readonly kind: 'process' | 'address';
  /** Values that are always written. */
  readonly set: Values;
  /** Values that are written unless a person has chosen otherwise. */
  readonly defaults: Values;
  /** Keys that are removed: they would mean another way to connect. */
  readonly drop: readonly string[];
}

/** The syntax by which an agent's file takes a value from the environment. */
export interface Variables {
  /** Writes a reference to a variable. */
  write(name: string): string;
  /** The pattern of such a reference; its first group is the name. */
  readonly pattern: RegExp;
}

/** The shape of servers in the files of an agent. */
export interface Shape {
  stdio(launch: Launch, name: string): Entry;
  /** The entry of a server over HTTP; null where the file supports none. */
  readonly http: ((remote: Remote, name: string) => Entry) | null;
  /** The syntax of variables; null where the file takes nothing from the environment. */
  readonly variables: Variables | null;
}

/** The levels of approval, from less to more. */
export const approvalLevels = ['read', 'all'] as const satisfies readonly Approved[];

/** Keys of our entry that approve this level, and keys that would approve more. */
export type ApprovalKeys = (level: Approved) => { readonly set: Values; readonly drop: readonly string[] };

/** The way to configure an agent not to ask before it calls our tools: in our entry, or by rules in another file. */
export interface Approval extends Pick<Approving, 'asks' | 'unasked' | 'command'> {
  /** The levels that its files can approve. */
  readonly levels: readonly Approved[];
  readonly keys?: ApprovalKeys;
  readonly rules?: {
    readonly global: Place;
    /** The path below the project's folder. */
    readonly project: string;
    lists(server: string, scope: Scope, level: Approved): readonly ListItems[];
  };
}

type Optional = 'alsoReads' | 'startKey' | 'ownCommand' | 'trust';

/** One agent as it is connected, with every default filled in. */
export interface SetupAgent extends Required<Omit<Setup, Optional | 'entry' | 'approval'>>, Pick<Setup, Optional> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly shape: Shape;
  readonly approval?: Approval;
}
