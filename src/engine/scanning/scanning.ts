import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { xdgDir } from '../../core/disk/paths.ts';
import { putFile } from '../../core/disk/replace.ts';
import { list } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { scannerVersion } from '../../get/scan/scan.ts';
import { allowedVersion, isBlocked, keepVerdict } from '../../get/scan/store.ts';
import { type ScanReport, scanReportSchema } from '../../get/scan/types.ts';
import { quarantineError } from '../../registry/quarantine.ts';
import { digestFiles } from '../../run/policy/digest.ts';
import type { Engine } from '../engine.ts';
import { entryOf } from './quarantine.ts';
import { openScanThreads } from './threads.ts';

/** Scans skills, and remembers what it said of those that have not changed. */
export interface Scanner {
  scan(folder: string): Promise<ScanReport>;
  /** The reason for which a blocked version was allowed; null for any other. */
  allowedFor(report: ScanReport): string | null;
  /** Keeps what was learned for the next time, and ends. */
  close(): void;
}

const mostRemembered = 50_000;

/** A scanner for that many skills, with what earlier scans learned. Whatever is not exactly ours in it is dropped. */
export async function openScanner(engine: Engine, count = 1): Promise<Scanner> {
  const { environment } = engine;
  const file = join(xdgDir(environment, 'CACHE'), 'repertoire', `verdicts-${scannerVersion}.json`);
  const reports = rememberedIn(file);
  const others = (await engine.registry.snapshot()).skills.map(({ name }) => name);
  const names = others.length > 2000 ? [] : [...new Set(others)];
  const threads = openScanThreads({ others: names, home: environment.home }, count);
  const underway = new Map<string, Promise<ScanReport>>();
  let isNew = false;
  return {
    async scan(folder) {
      const known = await digestFiles(folder);
      const before = reports.get(known.digest) ?? underway.get(known.digest);
      if (before !== undefined) return before;
      const scanning = threads.scan({ folder, known });
      underway.set(known.digest, scanning);
      const report = await scanning.finally(() => underway.delete(known.digest));
      reports.set(report.digest, report);
      isNew = true;
      return report;
    },
    allowedFor: ({ digest, verdict }) =>
      verdict === 'blocked' ? (allowedVersion(environment, digest)?.reason ?? null) : null,
    close() {
      threads.end();
      if (!isNew) return;
      try {
        makeFolder(join(file, '..'));
        putFile(file, JSON.stringify([...reports.values()].slice(-mostRemembered)));
      } catch {
        // What is not remembered is scanned again.
      }
    },
  };
}

function rememberedIn(file: string): Map<string, ScanReport> {
  try {
    const value = read(list(scanReportSchema), JSON.parse(readFileSync(file, 'utf8')));
    const reports = value.ok ? value.value : [];
    return new Map(
      reports.filter(({ scanner }) => scanner === scannerVersion).map((report) => [report.digest, report]),
    );
  } catch {
    return new Map();
  }
}

interface ScannedPlace {
  readonly folder: string;
  readonly name: string;
}

/** Scans a skill before it is let in, granted or run; throws where it is blocked and nobody has allowed it. */
export async function refuseBlocked(engine: Engine, place: ScannedPlace): Promise<ScanReport> {
  const scanner = await openScanner(engine);
  const report = await scanner.scan(place.folder);
  scanner.close();
  keepVerdict(engine.environment, place, report);
  if (isBlocked(engine.environment, report)) throw quarantineError(place.name, entryOf(report));
  return report;
}
