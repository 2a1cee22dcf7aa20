/** Ways in which the output of a tool is cut down before it reaches a model. Applied in the order they stand here. */
export interface Shaping {
  /** Regular expression of the only lines to keep. */
  readonly grep?: string;
  /** Whether to keep only the lines that do not match. */
  readonly grepInvert?: boolean;
  /** Number of first lines to keep. */
  readonly head?: number;
  /** Number of last lines to keep. */
  readonly tail?: number;
  /** A jq filter over JSON output. */
  readonly jq?: string;
  readonly format?: OutputFormat;
  /** Number of characters to keep at most, however they are counted by a reader; never half of one. */
  readonly maxOutput?: number;
  /** The part that is kept when there is too much: the beginning, the end, or (the default) both without the middle. */
  readonly truncate?: 'head' | 'tail' | 'middle';
}

export const outputFormats = ['text', 'json', 'lines', 'count', 'compact'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export interface Shaped {
  readonly text: string;
  /** The value itself, where the output in this form is JSON that is not too long. */
  readonly value: unknown;
  /** Notes on what was left out; empty where nothing was. */
  readonly notes: readonly string[];
}
