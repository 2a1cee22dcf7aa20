import { batchProblem } from '../batch-rules.ts';
import type { Message, Reading, RequestId } from '../messages.ts';

/** Batches that wait for their answers: what was asked together is answered together. */
export interface Batches {
  /** Why a batch is refused as a whole, if it is. */
  problemWith(readings: readonly Reading[], revision: string | undefined): string | null;
  /** Starts one, with the answers known already. Returns what to send at once where nothing is left to wait for. */
  open(requests: readonly (Message & { id: RequestId })[], answers: readonly object[]): object | null;
  /** Takes the answer to a request. Returns what to send: the answer, the batch it completes, or nothing yet. */
  add(id: RequestId, answer: object): object | null;
  /** A request that will have no answer. Returns the batch it was the last to wait for. */
  drop(id: RequestId): object | null;
}

interface Batch {
  readonly waiting: Set<RequestId>;
  readonly answers: object[];
}

export function createBatches(): Batches {
  const open = new Map<RequestId, Batch>();

  function settled(id: RequestId, { waiting, answers }: Batch): object | null {
    open.delete(id);
    waiting.delete(id);
    return waiting.size === 0 && answers.length > 0 ? answers : null;
  }

  return {
    problemWith(readings, revision) {
      const opens = readings.some((one) => one.kind === 'message' && one.message.method === 'initialize');
      return batchProblem(readings.length, revision) ?? (opens ? '`initialize` cannot be part of a batch' : null);
    },
    open(requests, answers) {
      const batch = { waiting: new Set(requests.map(({ id }) => id)), answers: [...answers] };
      for (const id of batch.waiting) open.set(id, batch);
      return batch.waiting.size === 0 && answers.length > 0 ? batch.answers : null;
    },
    add(id, answer) {
      const batch = open.get(id);
      if (batch === undefined) return answer;
      batch.answers.push(answer);
      return settled(id, batch);
    },
    drop(id) {
      const batch = open.get(id);
      return batch === undefined ? null : settled(id, batch);
    },
  };
}
