/** Problems of an index, by subject, until it works again. */
export interface IndexNotes {
  /** Records a problem; without a reason, it is over. */
  tell(about: keyof typeof words, reason: string | undefined): void;
  /** The problems in words. That a file could not be used is reported once: by then it is rebuilt. */
  all(): readonly string[];
}

const words = {
  damage: (reason: string) => `the search index could not be used (${reason}) and is rebuilt`,
  indexing: (reason: string) => `not every skill could be indexed (${reason})`,
  embedding: (reason: string) => `not every skill could be embedded (${reason}); those are found by words only`,
  keeping: (reason: string) => `the search index cannot be saved (${reason}); the next start rebuilds it`,
} as const;

export function createNotes(): IndexNotes {
  const notes = new Map<string, string>();
  return {
    tell(about, reason) {
      if (reason === undefined) notes.delete(about);
      else notes.set(about, words[about](reason));
    },
    all() {
      const all = [...notes.values()];
      notes.delete('damage');
      return all;
    },
  };
}
