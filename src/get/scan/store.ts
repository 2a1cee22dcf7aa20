import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { readOwnFile } from '../../core/schema/own-file.ts';
import { type Infer, object, text } from '../../core/schema/schema.ts';
import { byText, fold } from '../../core/text/text.ts';
import { type ScanReport, scanReportSchema } from './types.ts';

/** A skill that is kept from being loaded and run, as it is kept in the state folder. */
const quarantinedSchema = object({
  folder: text('The real folder.'),
  name: text(),
  at: text('In ISO 8601.'),
  report: scanReportSchema,
});
export type Quarantined = Infer<typeof quarantinedSchema>;

/** A version that a person has let out, whatever the scan says of it. */
const allowedSchema = object({ digest: text(), name: text(), reason: text(), at: text('In ISO 8601.') });
export type Allowed = Infer<typeof allowedSchema>;

const byteLimit = 4 * 1024 * 1024;

function quarantineFolder(environment: Environment): string {
  return join(stateFolder(environment), 'quarantine');
}

function quarantineFile(environment: Environment, folder: string): string {
  return join(quarantineFolder(environment), `${sha256(folder).slice(0, 32)}.json`);
}

function blockedFile(environment: Environment, digest: string): string {
  return join(stateFolder(environment), 'blocked', `${sha256(digest).slice(0, 32)}.json`);
}

function allowedFile(environment: Environment, digest: string): string {
  return join(stateFolder(environment), 'allowed', `${sha256(digest).slice(0, 32)}.json`);
}

/** All skills in quarantine, by their real folders. */
export function listQuarantine(environment: Environment): ReadonlyMap<string, Quarantined> {
  const folder = quarantineFolder(environment);
  const entries = entriesOf(folder);
  const names = entries.ok ? entries.value.map(({ name }) => name).filter((name) => name.endsWith('.json')) : [];
  const found = names
    .sort(byText)
    .flatMap((name) => readOwnFile(quarantinedSchema, join(folder, name), byteLimit) ?? []);
  return new Map(found.map((one) => [one.folder, one]));
}

/** The skill in quarantine whose real folder this is. */
export function quarantinedIn(environment: Environment, folder: string): Quarantined | null {
  return readOwnFile(quarantinedSchema, quarantineFile(environment, folder), byteLimit);
}

/** The skills in quarantine that have this name, wherever they lie. */
export function quarantinedAs(environment: Environment, name: string): readonly Quarantined[] {
  return [...listQuarantine(environment).values()].filter((one) => fold(one.name) === fold(name));
}

/** The report by which a version is blocked, wherever it lies; null for one that is not. */
export function blockedReport(environment: Environment, digest: string): ScanReport | null {
  const report = readOwnFile(scanReportSchema, blockedFile(environment, digest), byteLimit);
  return report?.digest === digest && isBlocked(environment, report) ? report : null;
}

export function allowedVersion(environment: Environment, digest: string): Allowed | null {
  const found = readOwnFile(allowedSchema, allowedFile(environment, digest), byteLimit);
  return found?.digest === digest ? found : null;
}

/** Whether nobody may load or run what this was said of: the scan blocks it, and no person has allowed this version. */
export function isBlocked(environment: Environment, { verdict, digest }: ScanReport): boolean {
  return verdict === 'blocked' && allowedVersion(environment, digest) === null;
}

/** Keeps what a scan said of a skill: one that is blocked goes into quarantine, any other one comes out of it. */
export function keepVerdict(
  environment: Environment,
  skill: { readonly folder: string; readonly name: string },
  report: ScanReport,
): void {
  if (!isBlocked(environment, report)) {
    rmSync(quarantineFile(environment, skill.folder), { force: true });
    return;
  }
  put(environment, blockedFile(environment, report.digest), report);
  put(environment, quarantineFile(environment, skill.folder), {
    ...skill,
    at: new Date().toISOString(),
    report,
  } satisfies Quarantined);
}

/** A version that others than the scan keep from being loaded and run, and who they are. */
export interface Held {
  readonly digest: string;
  readonly by: string;
  readonly reason: string;
  /** The way to have it let out. */
  readonly remedy: string;
}

/** Keeps a version from being loaded in this folder, and from being run anywhere on this machine. */
export function holdVersion(
  environment: Environment,
  skill: { readonly folder: string; readonly name: string },
  { digest, by, reason, remedy }: Held,
): void {
  const why = 'Others who use this version have found something wrong with it.';
  const finding = {
    rule: by,
    severity: 'critical',
    file: 'SKILL.md',
    line: null,
    found: reason,
    why,
    allow: remedy,
  } as const;
  keepVerdict(environment, skill, { digest, verdict: 'blocked', findings: [finding], scanner: by });
}

/** The versions that somebody holds, by digest, with the folders in which they are not loaded. */
export function heldBy(environment: Environment, by: string): ReadonlyMap<string, string> {
  const held = [...listQuarantine(environment).values()].filter(({ report }) => report.scanner === by);
  return new Map(held.map(({ folder, report }) => [report.digest, folder]));
}

/** Lets go of a version; what the scan says of it is as good as before. */
export function releaseVersion(environment: Environment, folder: string, digest: string): void {
  for (const file of [quarantineFile(environment, folder), blockedFile(environment, digest)])
    rmSync(file, { force: true });
}

/** Lets a version out. */
export function keepAllowed(environment: Environment, allowed: Allowed, folder: string): void {
  put(environment, allowedFile(environment, allowed.digest), allowed);
  rmSync(quarantineFile(environment, folder), { force: true });
}

function put(environment: Environment, file: string, value: object): void {
  try {
    makeFolder(join(file, '..'));
    putFile(file, `${JSON.stringify(value, null, 2)}\n`);
  } catch (error) {
    const hint = 'Make the folder writable, or set XDG_STATE_HOME to one that is.';
    throw new SkillError('unwritable', `${stateFolder(environment)} cannot be written (${reasonOf(error)})`, {
      hint,
      cause: error,
    });
  }
}
