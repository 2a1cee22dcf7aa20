import { basename } from 'node:path';
import { locate } from '../../engine/contained.ts';
import { extensionLimits } from '../../engine/extension.ts';
import { readSkillFile } from '../../engine/load.ts';
import { SkillError } from '../../kernel/errors.ts';
import { isAbsent, readRegularFile, statOf } from '../../kernel/files.ts';
import { shown, type Target } from './address.ts';
import { type Content, contentOf } from './content.ts';

/** One file of a skill, whole, as it stands on disk now. */
export function readTarget({ address: { skill }, path }: Target, uri: string): Content {
  if (path === 'SKILL.md') return contentOf(uri, path, readSkillFile(skill));
  if (path === '') throw folder(uri);
  // In the world of addresses it has the one name SKILL.md.
  const place = path === basename(skill.file) ? nowhere : locate(skill, path);
  if (!place.ok && place.kind === 'unreadable') throw unreadable(uri, place.reason);
  if (!place.ok) throw notThere(skill.fullName, uri);
  const read = readRegularFile(place.real, extensionLimits.bytes);
  if (read.ok) return contentOf(uri, path, read.value.bytes);
  const stats = statOf(place.real);
  if (stats.ok && stats.value.isDirectory()) throw folder(uri);
  // A pipe or a socket is no file of the skill: no list shows it.
  const isOther = stats.ok && !stats.value.isFile();
  throw isAbsent(read.reason) || isOther ? notThere(skill.fullName, uri) : unreadable(uri, read.reason);
}

const nowhere = { ok: false, kind: 'absent', reason: '' } as const;

function folder(uri: string): SkillError {
  const hint = 'List it with resources/directory/read, or read one of its files.';
  return new SkillError('not-found', `${shown(uri)} is a directory`, { hint });
}

function unreadable(uri: string, reason: string): SkillError {
  return new SkillError('unreadable', `${shown(uri)} cannot be read (${reason})`);
}

function notThere(name: string, uri: string): SkillError {
  const hint = 'skills/get lists every file of the skill.';
  return new SkillError('not-found', `Skill '${name}' has no file at ${shown(uri)}`, { hint });
}
