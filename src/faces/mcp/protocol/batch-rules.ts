/** Revisions that have batches; later ones dropped them. */
const batchRevisions = new Set(['2024-10-07', '2024-11-05', '2025-03-26']);

const most = 100;

/** The reason why a batch of this many messages is refused as a whole, if it is. */
export function batchProblem(length: number, revision: string | undefined): string | null {
  if (revision !== undefined && !batchRevisions.has(revision)) return `revision ${revision} has no batches`;
  if (length === 0) return 'the batch is empty';
  return length > most ? `a batch may hold ${most} messages, not ${length}` : null;
}
