import { parentPort, workerData } from 'node:worker_threads';
import { SkillError } from '../../core/errors.ts';
import { loadParser } from '../../get/scan/code/read.ts';
import { type ScanOptions, scanFolder } from '../../get/scan/scan.ts';
import type { ScanJob, ThreadAnswer } from './threads.ts';

// Scanning on threads of its own: parsers are slow, and skills have nothing to do with each other.
const options = workerData as ScanOptions;
parentPort?.on('message', (job: ScanJob) => void answerTo(job).then((answer) => parentPort?.postMessage(answer)));
void loadParser();

async function answerTo({ folder, known }: ScanJob): Promise<ThreadAnswer> {
  try {
    return { report: await scanFolder(folder, { ...options, known }) };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const { code, message, hint } = error;
    return { problem: { code, message, hint } };
  }
}
