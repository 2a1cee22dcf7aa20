import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { readRegularFile, realPathOrSelf, statOf } from '../../core/disk/files.ts';
import { below } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { oneLine } from '../../core/text/text.ts';
import { readLock } from '../../get/install/lock-file.ts';
import { folderNameOf, ownPlaces, scopeFor } from '../../get/install/places.ts';
import { manifestNames } from '../../run/tools/manifest/manifest.ts';
import { manifestProblems } from '../../run/tools/toolbox.ts';
import { hiddenIn } from '../../skill/parse.ts';
import { checkSkill, placeIn } from '../../skill/rules/check.ts';
import type { Engine } from '../engine.ts';
import { everyAgent } from '../getting/agents.ts';
import { locate } from '../loading/contained.ts';
import type { EditedSkill } from './chosen.ts';

/** Bytes of the longest file that is edited: more is data. */
const mostBytes = 1024 * 1024;

/** A text file of a skill, as it is on disk. */
export interface TextFile {
  /** The path from the skill's folder. */
  readonly path: string;
  /** The real path. */
  readonly real: string;
  readonly content: string;
  readonly digest: string;
  readonly stats: Stats;
}

export const mainFile = 'SKILL.md';

/** The digest of a text that a page hands back with its change. */
export function textDigest(content: string | Uint8Array): string {
  return `sha256:${sha256(content)}`;
}

/** Reads a text file of a skill to be edited; null where there is none of that path. Links are not followed. */
export function readText(skill: EditedSkill, path: string): TextFile | null {
  const place = locate(skill, path);
  if (!place.ok && place.kind === 'absent') return null;
  if (!place.ok) throw new SkillError('usage', `'${oneLine(path)}' ${place.reason}`);
  const real = ownPath(skill, path);
  if (place.real !== real) throw refusedFile(path, 'it is a link');
  const read = readRegularFile(real, mostBytes);
  if (!read.ok) throw new SkillError('unreadable', `${oneLine(path)} cannot be read (${read.reason})`);
  const { bytes, stats } = read.value;
  // Text that is not UTF-8 would not come back as it was.
  if (!isUtf8(bytes) || bytes.includes(0)) throw refusedFile(path, 'it is not UTF-8 text');
  return { path, real, content: bytes.toString('utf8'), digest: textDigest(bytes), stats };
}

/** The place of a new file in a folder of the skill that is there. */
export function placeForNew(skill: EditedSkill, path: string): string {
  const [name = '', ...folders] = path.split('/').reverse();
  const parent = folders.reverse().join('/');
  const place = locate(skill, parent);
  const isFolder = place.ok && statOf(place.real).ok && place.real === join(skill.id, ...parent.split('/'));
  if (!isFolder || /^\.|[\\\0]/.test(name) || name === '') {
    const hint = 'Name a new file by its path from the folder of the skill, in a folder that is there.';
    throw new SkillError('usage', `'${oneLine(path)}' cannot be a new file`, { hint });
  }
  return below(place.real, name);
}

function ownPath(skill: EditedSkill, path: string): string {
  return [skill.id, ...(path === mainFile ? [basename(skill.file)] : path.split('/'))].join(sep);
}

function refusedFile(path: string, reason: string): SkillError {
  const hint = 'Change it with a program of your own.';
  return new SkillError('denied', `${oneLine(path)} is not edited here: ${reason}`, { hint });
}

/** Why nothing of a skill is edited here; null where it may be. */
export function obstacleTo(skill: EditedSkill): string | null {
  if (skill.location === 'remote') return `it is a copy of what the server '${skill.provider}' has`;
  if (skill.plugin !== null) return `it belongs to the plugin ${skill.plugin}, whose updates replace it`;
  const stats = statOf(skill.id);
  if (!stats.ok) return `its folder cannot be read (${stats.reason})`;
  const user = process.getuid?.();
  return user === undefined || stats.value.uid === user ? null : 'its folder belongs to another user';
}

/** The source that a skill was installed from; null for one that nobody installed. */
export function sourceOfInstalled(skill: EditedSkill, { environment }: Engine): string | null {
  for (const kind of ['project', 'global'] as const) {
    const scope = scopeFor(kind, environment);
    const entries = attempt(() => readLock(scope).entries, []); // one that cannot be read says nothing about a skill
    for (const [name, entry] of entries) {
      if (folderNameOf(name) !== basename(skill.id)) continue;
      const shared = join(scope.skills, folderNameOf(name));
      const places = [shared, ...ownPlaces(everyAgent, name, scope, environment).map(({ path }) => path)];
      if (places.some((path) => realPathOrSelf(path) === skill.id)) return entry.source;
    }
  }
  return null;
}

/** Checks a text as if it were the file of that path. */
export async function checkText(
  skill: EditedSkill,
  path: string,
  content: string,
  { environment }: Engine,
): Promise<readonly Diagnostic[]> {
  const bytes = Buffer.from(content);
  if (path === mainFile) return checkSkill(bytes, placeIn(skill.file, skill.id));
  const file = below(skill.dir, path);
  const hidden = [hiddenIn(bytes, file) ?? []].flat();
  const isManifest = dirname(path) === '.' && manifestNames.some((name) => name === path);
  return isManifest ? [...hidden, ...(await manifestProblems(skill, environment, path, content))] : hidden;
}
