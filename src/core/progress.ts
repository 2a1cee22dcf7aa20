/** The progress of long work. */
export interface Progress {
  /** The activity in words: "Indexing skills". */
  readonly what: string;
  /** Number of items done, and their total where that is known. Work that cannot be counted has neither. */
  readonly done?: number | undefined;
  readonly total?: number | undefined;
  /** Bytes that a running tool has written so far. */
  readonly outputBytes?: number | undefined;
}

/** A callback that is called as often as convenient: the receiver decides what is worth showing. */
export type OnProgress = (progress: Progress) => void;
