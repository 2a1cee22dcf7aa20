import { join } from 'node:path';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { xdgDir } from '../../core/disk/paths.ts';
import { putFile } from '../../core/disk/replace.ts';
import { everythingIn, matchesSignatures, signatureText } from '../../core/disk/signature.ts';
import { readOwnFile } from '../../core/schema/own-file.ts';
import { list, map, object, text } from '../../core/schema/schema.ts';
import { scannerVersion } from '../../get/scan/scan.ts';
import { allowedVersion, isBlocked, keepVerdict } from '../../get/scan/store.ts';
import { type ScanReport, scanReportSchema } from '../../get/scan/types.ts';
import { quarantineError } from '../../registry/quarantine.ts';
import { digestFiles, type FolderDigest } from '../../run/policy/digest.ts';
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

const rememberedSchema = object({
  reports: list(scanReportSchema),
  /** The digests of folders, and how they looked then. */
  folders: map(object({ digest: text(), look: text() })),
});

interface ScannerOptions {
  /** The number of skills that will be scanned. */
  readonly count?: number;
  /** Whether a folder that looks as it did is taken for unchanged. Otherwise every byte of it is read. */
  readonly byLook?: boolean;
}

/** A scanner with what earlier scans learned. Whatever is not exactly ours in it is dropped. */
export async function openScanner(
  engine: Engine,
  { count = 1, byLook = false }: ScannerOptions = {},
): Promise<Scanner> {
  const { environment } = engine;
  const file = join(xdgDir(environment, 'CACHE'), 'repertoire', `verdicts-${scannerVersion}.json`);
  const { reports, folders } = rememberedIn(file);
  const others = (await engine.registry.snapshot()).skills.map(({ name }) => name);
  const names = others.length > 2000 ? [] : [...new Set(others)];
  const threads = openScanThreads({ others: names, home: environment.home }, count);
  const underway = new Map<string, Promise<ScanReport>>();
  let isNew = false;

  /** The report on a folder that looks as it did then. */
  function unchanged(folder: string): ScanReport | undefined {
    const seen = byLook ? folders.get(folder) : undefined;
    return seen !== undefined && matchesSignatures(seen.look) ? reports.get(seen.digest) : undefined;
  }

  async function digested(folder: string): Promise<FolderDigest> {
    const began = Date.now();
    const known = await digestFiles(folder);
    const look = byLook ? signatureText(everythingIn(folder, Object.keys(known.files)), began) : null;
    isNew ||= folders.delete(folder) || look !== null;
    if (look !== null) folders.set(folder, { digest: known.digest, look });
    return known;
  }

  return {
    async scan(folder) {
      const before = unchanged(folder);
      if (before !== undefined) return before;
      const known = await digested(folder);
      const report = reports.get(known.digest) ?? underway.get(known.digest);
      if (report !== undefined) return report;
      const scanning = threads.scan({ folder, known });
      underway.set(known.digest, scanning);
      const made = await scanning.finally(() => underway.delete(known.digest));
      reports.set(made.digest, made);
      isNew = true;
      return made;
    },
    allowedFor: ({ digest, verdict }) =>
      verdict === 'blocked' ? (allowedVersion(environment, digest)?.reason ?? null) : null,
    close() {
      threads.end();
      if (!isNew) return;
      isNew = false;
      try {
        makeFolder(join(file, '..'));
        const recent = { reports: [...reports.values()].slice(-mostRemembered), folders: newest(folders) };
        putFile(file, JSON.stringify(recent));
      } catch {
        // What is not remembered is scanned again.
      }
    },
  };
}

function newest<T>(all: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...all].slice(-mostRemembered));
}

interface Remembered {
  readonly reports: Map<string, ScanReport>;
  readonly folders: Map<string, { readonly digest: string; readonly look: string }>;
}

function rememberedIn(file: string): Remembered {
  const { reports, folders } = readOwnFile(rememberedSchema, file, Number.POSITIVE_INFINITY) ?? {
    reports: [],
    folders: {},
  };
  const own = reports.filter(({ scanner }) => scanner === scannerVersion);
  return { reports: new Map(own.map((report) => [report.digest, report])), folders: new Map(Object.entries(folders)) };
}

interface ScannedPlace {
  readonly folder: string;
  readonly name: string;
}

/** Scans a skill before it is let in, granted or run; throws where it is blocked and nobody has allowed it. */
export async function refuseBlocked(engine: Engine, place: ScannedPlace): Promise<ScanReport> {
  const scanner = await openScanner(engine);
  const report = await scanner.scan(place.folder).finally(() => scanner.close());
  keepVerdict(engine.environment, place, report);
  if (isBlocked(engine.environment, report)) throw quarantineError(place.name, entryOf(report));
  return report;
}
