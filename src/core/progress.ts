/** How far long work has come. */
export interface Progress {
  /** What is being done, as people say it: "Indexing skills". */
  readonly what: string;
  /** How many are done, and of how many where that is known. Work that cannot be counted has neither. */
  readonly done?: number | undefined;
  readonly total?: number | undefined;
  /** How much a tool has written so far, where one runs. */
  readonly outputBytes?: number | undefined;
}

/** Told as often as it is convenient to tell: whoever shows it decides what is worth showing. */
export type OnProgress = (progress: Progress) => void;
