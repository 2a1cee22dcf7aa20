import { answerCalls, threadData } from '../../core/thread-pool.ts';
import { loadParser } from '../../get/scan/code/read.ts';
import { type ScanOptions, scanFolder } from '../../get/scan/scan.ts';
import type { ScanJob } from './threads.ts';

// Scanning on threads of its own: parsers are slow, and skills have nothing to do with each other.
const options = threadData<ScanOptions>();
answerCalls(({ folder, known }: ScanJob) => scanFolder(folder, { ...options, known }));
void loadParser();
