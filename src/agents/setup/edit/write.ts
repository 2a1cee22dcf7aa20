import { accessSync, constants, readlinkSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  entriesOf,
  isAbsent,
  linkStatOf,
  readRegularFile,
  realPathOf,
  realPathOrSelf,
  statOf,
} from '../../../core/disk/files.ts';
import { makeFolder } from '../../../core/disk/make-folder.ts';
import { answers } from '../../../core/disk/owner.ts';
import { addFile, changedMeanwhile, putFile, replaceFile } from '../../../core/disk/replace.ts';
import { reasonOf } from '../../../core/errors.ts';
import { byText } from '../../../core/text/text.ts';

export type Written =
  | {
      readonly ok: true;
      /** The file that was really written, if a link led to it. */
      readonly file: string;
      /** The path of the backup of its old text; null where there was none, or nothing had to be written. */
      readonly backup: string | null;
    }
  | { readonly ok: false; readonly reason: string };

/** The text of a settings file; null where there is no file. */
type SettingsText =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly reason: string };

const byteLimit = 32 * 1024 * 1024;
const linkLimit = 40;

/** Reads settings as text that can be written back without losing a byte. */
export function readSettings(file: string): SettingsText {
  const read = readRegularFile(targetOf(file), byteLimit);
  if (!read.ok) return isAbsent(read.reason) ? { ok: true, text: null } : read;
  const text = read.value.bytes.toString('utf8');
  const isText = !text.includes('\0') && Buffer.from(text).equals(read.value.bytes);
  return isText ? { ok: true, text } : { ok: false, reason: 'it is not UTF-8 text' };
}

/**
 * Replaces the text that was read before by a new one, atomically: any reader, whatever happens, sees the old file or
 * the new one. A link stays, and its target is written. The old text is kept beside it. A file that has changed since
 * it was read is left alone, and so is one that has come into being. A file that is left with no text is removed.
 */
export function writeWithBackup(file: string, before: string | null, after: string | null): Written {
  const target = targetOf(file);
  if (before === after) return { ok: true, file: target, backup: null };
  try {
    return before === null ? created(target, after ?? '') : changed(target, before, after);
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

const moved = { ok: false, reason: changedMeanwhile } as const;

function created(file: string, text: string): Written {
  makeFolder(dirname(file), 0o777);
  // Created with the permissions that any program would give it. Nothing secret is in it that was not requested.
  addFile(file, text, 0o666 & ~process.umask());
  return { ok: true, file, backup: null };
}

function changed(file: string, before: string, after: string | null): Written {
  const read = readRegularFile(file, byteLimit);
  if (!read.ok) return isAbsent(read.reason) ? moved : read;
  if (!read.value.bytes.equals(Buffer.from(before))) return moved;
  accessSync(file, constants.W_OK); // Replacing the file would bypass this permission.
  sweepDrafts(file);
  const backup = keepBackup(file, before);
  if (after === null) {
    rmSync(file);
    return { ok: true, file, backup };
  }
  const reason = replaceFile(file, after, read.value.stats);
  return reason === null ? { ok: true, file, backup } : { ok: false, reason };
}

/** The final target of a path, also where nothing exists there yet. */
function targetOf(file: string): string {
  let path = resolve(file);
  for (let links = 0; links < linkLimit; links++) {
    const real = realPathOf(path);
    if (real.ok) return real.value;
    const link = linkStatOf(path);
    if (!link.ok || !link.value.isSymbolicLink()) break;
    path = resolve(realPathOrSelf(dirname(path)), readlinkSync(path));
  }
  return path;
}

/**
 * Number of backups kept. A person who wants a file back wants it as it was before a certain day, which may be the
 * first or the last time that we touched it. So each text has its own file, with the time in its name; only the newest
 * of them are kept.
 */
const keptBackups = 5;

const stamp = /^(\d{8}-\d{6})(?:-(\d+))?$/;

/** The name of a draft of a file or of a backup: `.NAME.PROCESS.RANDOM`, behind the name of the file. */
const draft = /^(?:backup-[\d-]+\.)?(\d+)\.[0-9a-z]+$/;

/** Milliseconds after which a draft counts as left behind by a process that was killed. */
const draftAge = 60_000;

/**
 * Keeps a text beside its file, for its owner alone, and returns the path. A text that is kept already is not kept
 * twice.
 */
export function keepBackup(file: string, text: string, now = new Date()): string {
  const backups = backupsOf(file);
  const newest = backups.at(-1);
  if (newest !== undefined && isText(newest.path, text)) return newest.path;
  // Old backups are removed first, so that a process that is killed in between leaves no more than there should be.
  for (const { path } of backups.slice(0, Math.max(0, backups.length + 1 - keptBackups))) rmSync(path, { force: true });
  const time = now.toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '').replace('T', '-');
  const count = newest?.time === time ? newest.count + 1 : 1;
  const path = `${file}.backup-${time}${count === 1 ? '' : `-${count}`}`;
  putFile(path, text);
  return path;
}

interface Backup {
  readonly path: string;
  readonly time: string;
  /** The number of the backup within its second. */
  readonly count: number;
}

/** The backups of a file, oldest first. Only the name counts: a copy to another disk may change the times. */
function backupsOf(file: string): Backup[] {
  const start = `${basename(file)}.backup-`;
  return namesBeside(file)
    .flatMap((name): Backup[] => {
      const [, time, count] = (name.startsWith(start) && stamp.exec(name.slice(start.length))) || [];
      return time === undefined ? [] : [{ path: join(dirname(file), name), time, count: Number(count ?? 1) }];
    })
    .sort((one, other) => byText(one.time, other.time) || one.count - other.count);
}

function namesBeside(file: string): string[] {
  const entries = entriesOf(dirname(file));
  return entries.ok ? entries.value.filter((entry) => entry.isFile()).map(({ name }) => name) : [];
}

function isText(path: string, text: string): boolean {
  const bytes = Buffer.from(text);
  const read = readRegularFile(path, bytes.length);
  return read.ok && read.value.bytes.equals(bytes);
}

/** Removes drafts that killed processes have left beside the file. */
export function sweepDrafts(file: string, now = Date.now()): void {
  const start = `.${basename(file)}.`;
  for (const name of namesBeside(file)) {
    const process = name.startsWith(start) ? draft.exec(name.slice(start.length))?.[1] : undefined;
    if (process === undefined || answers(Number(process))) continue;
    const path = join(dirname(file), name);
    const stats = statOf(path);
    if (stats.ok && now - stats.value.mtimeMs > draftAge) rmSync(path, { force: true });
  }
}
