/**
 * The plan sent to a child when it has started. It gets ready by this alone, so that it can wait for a run that is not
 * known yet; nothing of a run may be in it.
 */
export interface Plan {
  /** The module's file, as the child sees it. */
  readonly module: string;
  /** SHA-256 of the module's bytes, in hex: the child accepts no others. */
  readonly digest: string;
  /** The folders of the guest by the names it knows them by, with the paths at which the child sees them. */
  readonly preopens: Readonly<Record<string, string>>;
  /** Folders that the child closes to itself when it is ready: the engine's, which are not for the guest. */
  readonly closes: readonly string[];
}

/**
 * The plan of a child that has no sandbox around it and may not read any file: the module's bytes follow it, and the
 * skill's files follow the order. Its guest sees folders in memory only, by the names it knows them by.
 */
export interface MemoryPlan {
  readonly moduleBytes: number;
  readonly digest: string;
  readonly preopens: Readonly<Record<string, 'skill' | 'scratch'>>;
  /** Bytes that the guest may write. */
  readonly scratchBytes: number;
  readonly fileBytes: number;
}

/** A file by the names that lead to it, and its length; null for a folder, which comes before its entries. */
export interface PackedFile {
  readonly path: readonly string[];
  readonly length: number | null;
}

/** The plan of a child that runs the JavaScript which a component was turned into. */
export interface ComponentPlan {
  /** The folder of the generated files. */
  readonly folder: string;
  readonly preopens: Readonly<Record<string, string>>;
}

/** The plan of a child that turns a component into JavaScript. */
export interface TranspilePlan {
  readonly module: string;
  readonly digest: string;
}

/** One run. A child takes one order in its life. */
export interface Order {
  /** Arguments, with the name of the program in front. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An order in memory mode: the bytes of the files follow it. */
export interface MemoryOrder extends Order {
  readonly files: readonly PackedFile[];
}

/** An order for a component. */
export interface Call {
  /** The tool to call; null to list the component's tools. */
  readonly tool: string | null;
  /** A JSON object. */
  readonly parameters: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Descriptors in the child. It reports ready, receives its plan, and has a channel: orders come in, reports go out. */
export const places = { ready: 4, plan: 5, channel: 6 } as const;

/** The word by which a child reports ready. */
export const readyWord = 'ready';

/** The exit code of a guest that broke off, like that of a program that aborts. */
export const trapCode = 134;
