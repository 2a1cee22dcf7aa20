import { basename, sep } from 'node:path';
import { locate } from '../../engine/contained.ts';
import { fileTypeOf } from '../../engine/file-type.ts';
import { SkillError } from '../../kernel/errors.ts';
import { statOf } from '../../kernel/files.ts';
import { byText } from '../../kernel/text.ts';
import { type Address, fileUri } from '../../registry/addresses.ts';
import { childrenOf, type SkillFile } from '../../skill/files.ts';
import { pageOf } from '../paging.ts';
import { shown, type Target } from './address.ts';
import type { Resource } from './types.ts';

const pageSize = 100;
const folderType = 'inode/directory';

interface Child {
  readonly uri: string;
  readonly path: string;
  readonly file: SkillFile | null;
}

/** What one folder of a skill holds: its files and folders, and nothing from further down. */
export function folderPage(
  { address, path }: Target,
  uri: string,
  cursor: string | undefined,
): { resources: Resource[]; nextCursor?: string } {
  requireFolder({ address, path }, uri);
  const children = childrenAt(address, path).sort((a, b) => byText(a.uri, b.uri));
  const list = `folder ${path === '' ? address.root : fileUri(address, path)}`;
  const { items, ...rest } = pageOf(list, children, (child) => child.uri, { cursor, size: pageSize });
  return { resources: items.map((child) => resourceOf(address, child)), ...rest };
}

function requireFolder({ address: { skill }, path }: Target, uri: string): void {
  const place = locate(skill, path);
  const stats = place.ok ? statOf(place.real) : null;
  const expected = [skill.id, ...(path === '' ? [] : path.split('/'))].join(sep);
  if (place.ok && place.real === expected && stats?.ok && stats.value.isDirectory()) return;
  if (!place.ok && place.kind === 'unreadable') {
    throw new SkillError('unreadable', `${shown(uri)} cannot be opened (${place.reason})`);
  }
  if (stats?.ok && stats.value.isFile()) {
    throw new SkillError('not-found', `${shown(uri)} is a file, not a directory`, { hint: 'Use resources/read.' });
  }
  throw new SkillError('not-found', `Skill '${skill.fullName}' has no directory at ${shown(uri)}`);
}

function childrenAt(address: Address, at: string): Child[] {
  const own = basename(address.skill.file);
  const { files, folders } = childrenOf(address.skill.id, at);
  const childOf = (path: string, file: SkillFile | null): Child => ({ uri: fileUri(address, path), path, file });
  return [
    // The skill's own file is SKILL.md here, however its letters are cased.
    ...files.map((file) => childOf(file.path === own ? 'SKILL.md' : file.path, file)),
    ...folders.filter((path) => path !== 'SKILL.md').map((path) => childOf(path, null)),
  ];
}

function resourceOf({ skill }: Address, { uri, path, file }: Child): Resource {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (file === null) return { uri, name, mimeType: folderType };
  return { uri, name, mimeType: fileTypeOf(skill, path), size: file.bytes };
}
