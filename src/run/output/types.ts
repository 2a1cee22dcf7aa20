/** How the output of a tool is cut down before it reaches a model. Applied in the order they stand here. */
export interface Shaping {
  /** Only lines that match this regular expression. */
  readonly grep?: string;
  /** Only lines that do not. */
  readonly grepInvert?: boolean;
  /** Only the first lines. */
  readonly head?: number;
  /** Only the last lines. */
  readonly tail?: number;
  /** A jq filter over JSON output. */
  readonly jq?: string;
  readonly format?: OutputFormat;
  /** At most so many characters, however they are counted by a reader; never half of one. */
  readonly maxOutput?: number;
  /** What is kept when there is too much: the beginning, the end, or (the default) both without the middle. */
  readonly truncate?: 'head' | 'tail' | 'middle';
}

export const outputFormats = ['text', 'json', 'lines', 'count', 'compact'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export interface Shaped {
  readonly text: string;
  /** The value itself, where the output in this form is JSON that is not too long. */
  readonly value: unknown;
  /** What was left out, in words; empty where nothing was. */
  readonly notes: readonly string[];
}
