import { type ScanOptions, scanFolder } from '../../get/scan/scan.ts';
import type { ScanReport } from '../../get/scan/types.ts';
import type { ScanJob } from './threads.ts';

/** Scans a folder on this thread, where another one is not worth its start or cannot be had. */
export function scanHere({ folder, known }: ScanJob, options: ScanOptions): Promise<ScanReport> {
  return scanFolder(folder, { ...options, known });
}
