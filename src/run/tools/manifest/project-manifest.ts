import { dirname, resolve, sep } from 'node:path';
import { diagnostic } from '../../../core/diagnostics.ts';
import { realPathOrSelf } from '../../../core/disk/files.ts';
import { expandPath, isInside } from '../../../core/disk/paths.ts';
import { addCommand, nearestFile, projectFiles } from '../../../core/disk/project.ts';
import { areUnchanged, type Signatures, signaturesAt } from '../../../core/disk/signature.ts';
import type { Environment } from '../../../core/environment.ts';
import { type DocumentResult, isObject } from '../../../core/formats/documents.ts';
import { hasOwnName } from '../../../skill/name.ts';
import type { Skill } from '../../../skill/types.ts';
import { digestOutside } from '../../policy/digest.ts';
import { defaultLimits, limitForms } from '../../policy/limits.ts';
import { parseImage } from '../../policy/names.ts';
import type { Limits } from '../../policy/types.ts';
import { type Declared, declaredIn, merged, nothingDeclared } from './declared.ts';
import { Findings, type Place, pass, taken, within } from './findings.ts';
import { limitKeys } from './limits.ts';
import { invalid, type Manifest, readDocument } from './manifest.ts';
import { inner, note, onOff, type Readers, readTable, text, withoutEffect } from './readers.ts';

/** The manifest of the project: the nearest one, from the working directory up to the repository's root. */
export function projectManifestFile(environment: Environment): string | null {
  return nearestFile(projectFiles.manifest, environment);
}

/** The manifest that was read last: one manifest is asked for once for each skill. */
let last: { readonly file: string; readonly signatures: Signatures; readonly said: Said } | null = null;

/** The content of a manifest, and the digest of the very bytes that say it. */
interface Said {
  readonly read: DocumentResult;
  readonly digest: string;
}

async function saidIn(file: string): Promise<Said> {
  if (last?.file === file && areUnchanged(last.signatures)) return last.said;
  const began = Date.now();
  const read = await readDocument(file);
  const said = { read, digest: digestOutside(read.bytes) };
  const signatures = signaturesAt([file], began);
  last = signatures === null ? null : { file, signatures, said };
  return said;
}

const topKeys = {
  version: note,
  defaults: inner,
  skills: inner,
};

const local = /^(?:\.{0,2}\/|~\/|\.{1,2}$)/;
const image = /^docker:(?:\/\/)?/;

const entryKeys: Readers = { source: text, ref: note, enabled: onOff };

const defaultKeys: Readers = {
  max_concurrent: withoutEffect('has no effect: the operator decides how many tools run at once'),
  log_level: withoutEffect('has no effect here', 'Use --log-level.'),
};

/** The manifest of a project that was read, with the digest of the very bytes. */
export interface ProjectManifest extends Manifest {
  readonly digest: string;
}

/**
 * Reads what the manifest of a project says of one skill, which has set these limits itself; null where that is
 * nothing. The skills below the folder of the manifest are the project's own; of others it says little.
 */
export async function readProjectManifest(
  file: string,
  skill: Pick<Skill, 'id' | 'name' | 'fullName'>,
  environment: Environment,
  limits: Partial<Limits> = {},
): Promise<ProjectManifest | null> {
  const { read, digest } = await saidIn(file);
  if (read.kind === 'absent') return null;
  if (read.kind === 'invalid') {
    // The manifest may speak of this skill or not: what it would ask for is unknown, and nothing is taken from it.
    const { message, remedy, line, column } = invalid(file, read);
    const at = line === null ? undefined : { line, column: column ?? 1 };
    const problems = [diagnostic('manifest-ignored', file, message, remedy, at)];
    return { file, digest, declared: nothingDeclared, problems };
  }
  const findings = new Findings(file, read.text, true);
  const top: Place = { value: read.value, path: [], findings };
  const entry = entryFor(within(top, 'skills'), skill, file, environment);
  if (entry === null) return null;
  readTable(top, topKeys);
  const isOwn = isInside(realPathOrSelf(dirname(file)), skill.id);
  const [defaults, said] = [within(top, 'defaults'), entry].map((place) =>
    isOwn ? place : withoutForeign(place, limits),
  ) as [Place, Place];
  const declared = merged(declaredIn(defaults, environment, defaultKeys), declaredIn(said, environment, entryKeys));
  return { file, digest, declared: merged(declared, sourceOf(within(said, 'source'))), problems: findings.list };
}

/** The entry for a skill: `[skills.NAME]`, or `[[skills]]` with a name in each. */
function entryFor(
  place: Place,
  skill: Pick<Skill, 'id' | 'name' | 'fullName'>,
  file: string,
  environment: Environment,
): Place | null {
  const { value } = place;
  const keys: readonly (string | number)[] = Array.isArray(value)
    ? [...value.keys()]
    : isObject(value)
      ? Object.keys(value)
      : [];
  const found = keys.find((key) => {
    const entry = within(place, key);
    const name = typeof key === 'string' ? key : within(entry, 'name').value;
    const source = within(entry, 'source').value;
    // A folder that is named is the skill that is meant, and no other of that name.
    if (typeof source === 'string' && local.test(source)) return leadsTo(source, skill.id, dirname(file), environment);
    return name === skill.fullName || (name === skill.name && hasOwnName(skill));
  });
  return found === undefined ? null : within(place, found);
}

function leadsTo(source: string, folder: string, from: string, environment: Environment): boolean {
  const path = source.startsWith('~') ? expandPath(source, environment) : resolve(from, source);
  const real = realPathOrSelf(path);
  return real === folder || (real.endsWith('.wasm') && dirname(real) === folder);
}

function sourceOf(place: Place): Declared {
  const { value } = place;
  if (typeof value !== 'string' || local.test(value)) return nothingDeclared;
  if (image.test(value))
    return { ...nothingDeclared, image: taken(place, parseImage(value.replace(image, ''))) ?? null };
  const message = 'is not fetched: the skill that is installed here is the one that runs';
  pass(place, message, `Type ${addCommand(value)} to get it from there.`);
  return nothingDeclared;
}

/** Reads a `manifest.toml` beside a SKILL.md that is written like a project's: the entry for that skill, or the only one. */
export async function readOwnEntry(folder: string, name: string, environment: Environment): Promise<Manifest | null> {
  const file = `${folder}${sep}manifest.toml`;
  const read = await readDocument(file, folder);
  if (read.kind !== 'value') return null; // the reader of manifests reports what cannot be read
  const findings = new Findings(file, read.text, true);
  const skills = within({ value: read.value, path: [], findings }, 'skills');
  const names = isObject(skills.value) ? Object.keys(skills.value) : [];
  const key = names.find((one) => one === name) ?? names.find((one) => name.startsWith(one)) ?? names[0];
  if (key === undefined) return null;
  const entry = within(skills, key);
  const declared = merged(declaredIn(entry, environment, entryKeys), sourceOf(within(entry, 'source')));
  const remedy = 'Give it a folder of its own, with this entry in its manifest.toml.';
  for (const other of names.filter((one) => one !== key))
    pass(within(skills, other), 'has no effect: a folder is one skill', remedy);
  return { file, declared, problems: findings.list };
}

/** Keys that say what is run, and where. */
const replacing = ['tools', 'runtime', 'module', 'image', 'folder', 'docker'];

/** Tables that may hold limits too. */
const limiting = ['limits', 'resources', 'capabilities'];

/**
 * Keeps only what a project may say of a skill that it did not bring: nothing about what is run, and no limit above
 * those that the skill sets itself, or the defaults. Everything else is left out, each with a report at its line.
 */
function withoutForeign(place: Place, own: Partial<Limits>): Place {
  return filtered(place, (inner, key) => {
    if (replacing.includes(key) || (key === 'source' && isImage(inner.value)))
      return ignored(inner, 'this project did not bring the skill, and cannot change what it runs');
    if (limiting.includes(key)) return filtered(inner, (one, name) => lowering(one, name, own)).value;
    return lowering(inner, key, own);
  });
}

/** Whether a source is `docker:image`, which sets the image. */
function isImage(source: unknown): boolean {
  return typeof source === 'string' && source.startsWith('docker:');
}

function filtered(place: Place, keep: (inner: Place, key: string) => unknown): Place {
  if (!isObject(place.value)) return place;
  const kept = Object.keys(place.value).map((key) => [key, keep(within(place, key), key)] as const);
  return { ...place, value: Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
}

/** The value, unless it is a limit that is higher than it is without it. */
function lowering(place: Place, key: string, own: Partial<Limits>): unknown {
  const name = key === 'output' ? 'max_output' : key;
  if (!Object.hasOwn(limitKeys, name)) return place.value;
  // Problems with it are reported when it is read.
  const set = limitKeys[name as keyof typeof limitKeys]({ ...place, findings: new Findings('', '') });
  if (set === undefined) return place.value;
  const most = own[set.limit] ?? defaultLimits[set.limit];
  if (set.amount <= most) return place.value;
  return ignored(place, `this project did not bring the skill, whose limit is ${limitForms[set.limit].inWords(most)}`);
}

function ignored(place: Place, why: string): undefined {
  return pass(
    place,
    `has no effect: ${why}`,
    "Set it in the skill's own skill.toml, or bring the skill with the project.",
  );
}
