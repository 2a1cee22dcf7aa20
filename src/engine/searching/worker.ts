import { parentPort, workerData } from 'node:worker_threads';
import { createBuilder, mergeAndKeep, type Wanted } from './indexing.ts';
import type { ThreadTask } from './threads.ts';

// Indexing on threads of its own: ten thousand skills take seconds, and a server must answer meanwhile.
const task = workerData as ThreadTask;
const answer = (done: unknown) => parentPort?.postMessage(done);
if (task.kind === 'merge') {
  void mergeAndKeep(task.job).then(answer);
} else {
  const build = createBuilder(task.embedder, task.environment);
  parentPort?.on('message', (batch: readonly Wanted[]) => void build(batch).then(answer));
}
