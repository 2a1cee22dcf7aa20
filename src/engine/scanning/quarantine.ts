import { join } from 'node:path';
import { isThere } from '../../core/disk/files.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import type { ScanReport } from '../../get/scan/types.ts';
import { type Quarantine, type QuarantineEntry, quarantineError } from '../../registry/quarantine.ts';

export type ScanMode = 'off' | 'add' | 'run';

interface ScanSetting {
  readonly scan: ScanMode;
}

/** When skills are scanned: as the user has set it, unless an operator wants more. */
export async function scanMode({ scan }: ScanSetting, environment: Environment): Promise<ScanMode> {
  const { readPolicy } = await import('../../run/policy/operator.ts');
  const { scan: required } = await readPolicy(environment);
  if (required === 'run') return 'run';
  return scan === 'off' ? (required ?? 'off') : scan;
}

/** The skills that nobody may load. */
export async function readQuarantine(values: ScanSetting, environment: Environment): Promise<Quarantine | undefined> {
  if (values.scan === 'off' && (await scanMode(values, environment)) === 'off') return undefined;
  const { isBlocked, listQuarantine } = await import('../../get/scan/store.ts');
  const own = stateFolder(environment);
  return new Map(
    [...listQuarantine(environment)]
      .filter(([folder, { report }]) => isThere(folder) && isBlocked(environment, report))
      .map(([folder, { name, report }]) => [folder, { ...entryOf(report), ...(isInside(own, folder) && { name }) }]),
  );
}

/** The entry for a blocked skill: the worst of what was found. */
export function entryOf({ digest, findings: [worst] }: ScanReport): QuarantineEntry {
  if (worst === undefined) return { digest, found: 'a scan found something' };
  const place = `${worst.file}${worst.line === null ? '' : `:${worst.line}`}`;
  return { digest, found: `${worst.rule} in ${place}: ${worst.found}` };
}

/** Throws where this version is known to be blocked, in whatever folder it lies. */
export async function refuseKnown(environment: Environment, name: string, digest: string): Promise<void> {
  if (!isThere(join(stateFolder(environment), 'blocked'))) return;
  const { blockedReport } = await import('../../get/scan/store.ts');
  const report = blockedReport(environment, digest);
  if (report !== null) throw quarantineError(name, entryOf(report));
}
