import { answerCalls, threadData } from '../../core/thread-pool.ts';
import { createBuilder, mergeAndKeep } from './indexing.ts';
import type { ThreadTask } from './threads.ts';

// Indexing on threads of its own: ten thousand skills take seconds, and a server must answer meanwhile.
const task = threadData<ThreadTask>();
if (task.kind === 'merge') answerCalls(mergeAndKeep);
else answerCalls(createBuilder(task.embedder, task.environment));
