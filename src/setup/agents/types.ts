import type { Approved, Approving, Launch, ListItems, Place, Scope, Setup, Trust } from '../../agents/types.ts';
import type { JsonMap } from '../edit/values.ts';

export type { Approved, Launch, ListItems, Scope, Trust };

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

/** How servers look in the files of an agent. */
export interface Shape {
  stdio(launch: Launch, name: string): Entry;
  /** Null where the file knows no servers over HTTP. */
  readonly http: ((remote: Remote, name: string) => Entry) | null;
  /** Null where the file takes nothing from the environment. */
  readonly variables: Variables | null;
}

/** What can be approved, from less to more. */
export const approvalLevels = ['read', 'all'] as const satisfies readonly Approved[];

/** Keys of our entry that approve so much, and those that would approve more. */
export type ApprovalKeys = (level: Approved) => { readonly set: Values; readonly drop: readonly string[] };

/** How an agent is told not to ask before it calls our tools: in our entry, or by rules in another file. */
export interface Approval extends Pick<Approving, 'asks' | 'unasked' | 'command'> {
  /** What its files can approve. */
  readonly levels: readonly Approved[];
  readonly keys?: ApprovalKeys;
  readonly rules?: {
    readonly global: Place;
    /** Below the project's folder. */
    readonly project: string;
    lists(server: string, scope: Scope, level: Approved): readonly ListItems[];
  };
}

type Optional = 'alsoReads' | 'startKey' | 'ownCommand' | 'trust';

/** One agent as it is connected, with everything that its object leaves unsaid. */
export interface SetupAgent extends Required<Omit<Setup, Optional | 'entry' | 'approval'>>, Pick<Setup, Optional> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly shape: Shape;
  readonly approval?: Approval;
}
