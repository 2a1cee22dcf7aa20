import type { SurvivedLimit } from '../ending.ts';

/**
 * What a child is told when it has started. It gets ready by this alone, so that it can be kept waiting for a run that is not known
 * yet; nothing of a run may stand here.
 */
export interface Plan {
  /** The module's file, as the child sees it. */
  readonly module: string;
  /** SHA-256 of the module's bytes, in hex: the child takes no others. */
  readonly digest: string;
  /** The folders of the guest by the names it knows them by, and where the child sees them. */
  readonly preopens: Readonly<Record<string, string>>;
  /** Folders that the child closes to itself when it has got ready: the engine's, which are not for the guest. */
  readonly closes: readonly string[];
}

/**
 * The same for a child that has no sandbox around it and may not read any file: the module's bytes follow this, and the skill's files
 * follow the order. Its guest sees folders in memory only, by the names it knows them by.
 */
export interface MemoryPlan {
  readonly moduleBytes: number;
  readonly digest: string;
  readonly preopens: Readonly<Record<string, 'skill' | 'scratch'>>;
  /** How much the guest may write. */
  readonly scratchBytes: number;
  readonly fileBytes: number;
}

/** A file by the names that lead to it, and its length; null for a folder, which comes before what is in it. */
export interface PackedFile {
  readonly path: readonly string[];
  readonly length: number | null;
}

/** The same for the JavaScript that a component was turned into. */
export interface ComponentPlan {
  /** The folder of the generated files. */
  readonly folder: string;
  readonly preopens: Readonly<Record<string, string>>;
}

/** What turns a component into JavaScript. */
export interface TranspilePlan {
  readonly module: string;
  readonly digest: string;
}

/** One run. A child takes one order in its life. */
export interface Order {
  /** With the name of the program in front. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The same in memory: the bytes of the files follow it. */
export interface MemoryOrder extends Order {
  readonly files: readonly PackedFile[];
}

/** The same for a component. */
export interface Call {
  /** Null for asking which tools it has. */
  readonly tool: string | null;
  /** An object, as JSON. */
  readonly parameters: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a child says, one line of JSON each, on a channel of its own. */
export type Report =
  | { readonly kind: 'ready' }
  /** It cannot be run at all. */
  | { readonly kind: 'unfit'; readonly message: string }
  /** More memory than there may be, before it began. */
  | { readonly kind: 'too-large'; readonly message: string }
  | { readonly kind: 'exited'; readonly code: number; readonly reached?: readonly SurvivedLimit[] }
  /** It was running, and broke off. */
  | { readonly kind: 'trap'; readonly message: string; readonly memoryBytes: number };

/**
 * The places of the descriptors in the child. It says that it is there, is told its plan, and has a channel: orders come
 * in, reports go out.
 */
export const places = { ready: 4, told: 5, channel: 6 } as const;

/** What a child says when it is there. */
export const readyWord = 'ready';

/** The exit code of a guest that broke off, as of a program that aborts. */
export const trapCode = 134;
