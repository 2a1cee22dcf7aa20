import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { SkillError } from '../../kernel/errors.ts';
import { entriesOf, linkStatOf, readRegularFile } from '../../kernel/files.ts';
import type { PackedFile } from './protocol.ts';

/** How much of a skill is held in memory. */
const mostBytes = 64 * 1024 * 1024;
const mostEntries = 10_000;

/** A folder with everything below it but links: what there is, and the bytes of its files in the same order. */
export interface Packed {
  readonly files: readonly PackedFile[];
  readonly bytes: readonly Uint8Array[];
}

/** Reads a folder whole, for a process that may not read anything itself. */
export function packFolder(folder: string): Packed {
  const files: PackedFile[] = [];
  const bytes: Uint8Array[] = [];
  let left = mostBytes;
  // What is added on the way is gone through as well.
  const folders: (readonly string[])[] = [[]];
  for (const names of folders) {
    for (const entry of entriesIn(folder, names)) {
      const path = [...names, entry.name];
      if (files.length >= mostEntries) throw tooLarge();
      if (entry.isDirectory()) {
        folders.push(path);
        files.push({ path, length: null });
      } else {
        const content = contentOf(folder, path, left);
        left -= content.length;
        bytes.push(content);
        files.push({ path, length: content.length });
      }
    }
  }
  return { files, bytes };
}

function entriesIn(folder: string, names: readonly string[]): readonly Dirent[] {
  const entries = entriesOf(join(folder, ...names));
  if (!entries.ok) throw unreadable(names, entries.reason);
  return entries.value.filter((entry) => entry.isFile() || entry.isDirectory());
}

function contentOf(folder: string, path: readonly string[], most: number): Uint8Array {
  const file = join(folder, ...path);
  const read = readRegularFile(file, most);
  if (read.ok) return read.value.bytes;
  const stats = linkStatOf(file);
  throw stats.ok && stats.value.size > most ? tooLarge() : unreadable(path, read.reason);
}

function tooLarge(): SkillError {
  const most = `${mostEntries} files or ${mostBytes} bytes`;
  return new SkillError('unavailable', `the skill has more than ${most}, too much to hold in memory`);
}

function unreadable(path: readonly string[], reason: string): SkillError {
  return new SkillError('unreadable', `${join('.', ...path)} of the skill cannot be read (${reason})`);
}
