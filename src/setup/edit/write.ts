import { accessSync, constants, readlinkSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../kernel/errors.ts';
import { isAbsent, linkStatOf, readRegularFile, realPathOf, realPathOrSelf } from '../../kernel/files.ts';
import { makeFolder } from '../../kernel/make-folder.ts';
import { addFile, changedMeanwhile, replaceFile } from '../../kernel/replace.ts';
import { keepBackup, sweepDrafts } from './backup.ts';

export type Written =
  | {
      readonly ok: true;
      /** The file that was really written, where a link led to it. */
      readonly file: string;
      /** Where its old text is now; null where there was none, or nothing had to be written. */
      readonly backup: string | null;
    }
  | { readonly ok: false; readonly reason: string };

/** Null is the text of a file that is not there. */
export type SettingsText =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly reason: string };

const byteLimit = 32 * 1024 * 1024;
const linkLimit = 40;

/** Reads someone's settings as text that can be written back without losing a byte. */
export function readSettings(file: string): SettingsText {
  const read = readRegularFile(targetOf(file), byteLimit);
  if (!read.ok) return isAbsent(read.reason) ? { ok: true, text: null } : read;
  const text = read.value.bytes.toString('utf8');
  const isText = !text.includes('\0') && Buffer.from(text).equals(read.value.bytes);
  return isText ? { ok: true, text } : { ok: false, reason: 'it is not UTF-8 text' };
}

/**
 * Puts a new text in the place of the one that was read before, in one step: whoever looks, and whatever happens, sees
 * the old file or the new one. Where a link stands, it stays, and what it leads to is written. The old text is kept
 * beside it. A file that has changed since it was read is left alone, and so is one that has come. A file that is left
 * with no text is removed.
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
  // With the rights that any program would give it. Nothing secret is in it that was not asked for.
  addFile(file, text, 0o666 & ~process.umask());
  return { ok: true, file, backup: null };
}

function changed(file: string, before: string, after: string | null): Written {
  const read = readRegularFile(file, byteLimit);
  if (!read.ok) return isAbsent(read.reason) ? moved : read;
  if (!read.value.bytes.equals(Buffer.from(before))) return moved;
  accessSync(file, constants.W_OK); // A new file in its place would get past this.
  sweepDrafts(file);
  const backup = keepBackup(file, before);
  if (after === null) {
    rmSync(file);
    return { ok: true, file, backup };
  }
  const reason = replaceFile(file, after, read.value.stats);
  return reason === null ? { ok: true, file, backup } : { ok: false, reason };
}

/** Where a path leads in the end, also where nothing is there yet. */
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
