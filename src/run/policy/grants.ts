import { constants, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { entriesOf, isAbsent, linkStatOf, readRegularFile } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { putFile } from '../../core/disk/replace.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { readOwnFile } from '../../core/schema/own-file.ts';
import { type Parsed, parsed, problem } from '../../core/schema/parsed.ts';
import { type Infer, list, literal, map, object, optional, text } from '../../core/schema/schema.ts';
import { read } from '../../core/schema/schema-reader.ts';
import { byText } from '../../core/text/text.ts';
import { type CapabilityName, capabilitiesFrom, capabilityNames, textsOf } from './capabilities.ts';
import type { Grant } from './types.ts';

/** A grant, or none, with the reason where there is a file of one. */
type GrantFound =
  | { readonly grant: Grant; readonly problem: null }
  | { readonly grant: null; readonly problem: string | null };

const byteLimit = 8 * 1024 * 1024;

export function grantsFolder(environment: Environment): string {
  return join(stateFolder(environment), 'grants');
}

/** The file for the grant of a skill, named after the real folder of it. */
export function grantFile(environment: Environment, folder: string): string {
  return join(grantsFolder(environment), `${sha256(folder).slice(0, 32)}.json`);
}

/** Reads the grant of the skill in this real folder. A file that cannot be trusted grants nothing. */
export function readGrant(environment: Environment, folder: string): GrantFound {
  const file = grantFile(environment, folder);
  const found = readGrantFile(file, environment);
  if (found.grant === null || found.grant.skill === folder) return found;
  return { grant: null, problem: `${file} is for another folder; it is ignored` };
}

function readGrantFile(file: string, environment: Environment): GrantFound {
  const read = readRegularFile(file, byteLimit);
  if (!read.ok && isAbsent(read.reason)) return { grant: null, problem: null };
  const why = read.ok ? foreignness(read.value.stats) : `cannot be read (${read.reason})`;
  if (!read.ok || why !== null) return { grant: null, problem: `${file} ${why}; it is ignored` };
  const grant = grantFrom(read.value.bytes.toString('utf8'), environment);
  if (grant.ok) return { grant: grant.value, problem: null };
  return { grant: null, problem: `${file} ${grant.message}; it is ignored` };
}

/** The reason why others could have written a file; null for none. */
function foreignness({ uid, mode }: Stats): string | null {
  if (process.getuid !== undefined && uid !== process.getuid()) return 'belongs to another user';
  return (mode & (constants.S_IWGRP | constants.S_IWOTH)) === 0 ? null : 'can be written by others';
}

/** Writes a grant, in the place of the one before. */
export function writeGrant(environment: Environment, grant: Grant): void {
  try {
    makeFolder(grantsFolder(environment));
    putFile(grantFile(environment, grant.skill), grantJson(grant));
  } catch (error) {
    throw unwritable(environment, error);
  }
}

/** Takes a grant back, whatever state its file is in. Returns whether there was one. */
export function removeGrant(environment: Environment, folder: string): boolean {
  const file = grantFile(environment, folder);
  if (!linkStatOf(file).ok) return false;
  try {
    rmSync(file, { recursive: true, force: true });
  } catch (error) {
    throw unwritable(environment, error);
  }
  return true;
}

/** All grants, by the names of their skills, and what is wrong with the others. */
export function listGrants(environment: Environment): { grants: readonly Grant[]; problems: readonly string[] } {
  const folder = grantsFolder(environment);
  const entries = entriesOf(folder);
  if (!entries.ok) {
    return { grants: [], problems: isAbsent(entries.reason) ? [] : [`${folder} cannot be read (${entries.reason})`] };
  }
  const names = entries.value.map(({ name }) => name).filter((name) => /^[\da-f]{32}\.json$/.test(name));
  const found = names.sort(byText).map((name) => ownGrant(join(folder, name), environment));
  const grants = found.flatMap(({ grant }) => (grant === null ? [] : [grant]));
  grants.sort((a, b) => byText(a.name, b.name) || byText(a.skill, b.skill));
  return { grants, problems: found.flatMap(({ problem }) => (problem === null ? [] : [problem])) };
}

/** Reads a grant under its own name. A file copied to another name grants nothing, and must not look as if it did. */
function ownGrant(file: string, environment: Environment): GrantFound {
  const found = readGrantFile(file, environment);
  if (found.grant === null || grantFile(environment, found.grant.skill) === file) return found;
  return { grant: null, problem: `${file} is for another folder; it is ignored` };
}

function unwritable(environment: Environment, error: unknown): SkillError {
  const folder = grantsFolder(environment);
  const hint = 'Make the folder writable, or set XDG_STATE_HOME to one that is.';
  return new SkillError('unwritable', `${folder} cannot be written (${reasonOf(error)})`, { hint, cause: error });
}

/** Version of the format, raised whenever an older program would misread it. */
const version = 1;
const remedy = 'Grant the skill again.';

/** A grant as it is kept: with its capabilities as people write them. */
function grantJson(grant: Grant): string {
  const { capabilities, withheld } = grant;
  const texts = { capabilities: textsOf(capabilities), ...(withheld && { withheld: textsOf(withheld) }) };
  return `${JSON.stringify({ version, ...grant, ...texts }, null, 2)}\n`;
}

const texts = list(text());
/** Capabilities as people write them. Grants that were given before limits had to be asked for hold none. */
const textsSchema = object(
  Object.fromEntries(capabilityNames.map((name) => [name, name === 'limits' ? optional(texts) : texts])) as Readonly<
    Record<CapabilityName, typeof texts>
  >,
  undefined,
  { open: true },
);

const grantSchema = object(
  {
    version: literal(version),
    skill: text(),
    name: text(),
    digest: text(),
    files: map(text()),
    capabilities: textsSchema,
    withheld: optional(textsSchema),
    places: map(text()),
    grantedAt: text(),
  },
  'A grant as it is kept.',
  { open: true },
);

/** Reads a grant that was kept. Anything that is not exactly one is rejected. */
function grantFrom(text: string, environment: Environment): Parsed<Grant> {
  const reading = read(grantSchema, jsonIn(text), 'data', 1);
  if (!reading.ok) {
    const [place = 'version'] = reading.issues[0].path;
    return problem(place === 'version' ? 'is not a valid grant' : 'is an incomplete grant', remedy);
  }
  const { version: _, ...kept } = reading.value;
  const capabilities = capabilitiesFrom(kept.capabilities, environment);
  const withheld = kept.withheld && capabilitiesFrom(kept.withheld, environment);
  if (!capabilities.ok || withheld?.ok === false) return problem('is an incomplete grant', remedy);
  const { skill, name, digest, files, places, grantedAt } = kept;
  const granted = { capabilities: capabilities.value, ...(withheld && { withheld: withheld.value }) };
  return parsed({ skill, name, digest, files, ...granted, places, grantedAt });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A grant that somebody has given and somebody else has to confirm. */
const requestSchema = object({
  about: text('The digest of what would be granted, to which files.'),
  subject: text('Who has given it.'),
});
type GrantWaiting = Infer<typeof requestSchema>;

function fileFor(environment: Environment, folder: string): string {
  return join(stateFolder(environment), 'grant-requests', `${sha256(folder).slice(0, 32)}.json`);
}

/** The grant that waits for a second person, of the skill in this real folder. */
export function requestFor(environment: Environment, folder: string): GrantWaiting | null {
  return readOwnFile(requestSchema, fileFor(environment, folder), 64 * 1024);
}

export function keepRequest(environment: Environment, folder: string, waiting: GrantWaiting): void {
  const file = fileFor(environment, folder);
  makeFolder(join(file, '..'));
  putFile(file, JSON.stringify(waiting));
}

export function forgetRequest(environment: Environment, folder: string): void {
  rmSync(fileFor(environment, folder), { force: true });
}
