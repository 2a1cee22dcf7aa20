import type { Stats } from 'node:fs';
import { entriesOf, failedSince, statOf } from './files.ts';
import { below } from './paths.ts';

/**
 * Evidence that a file or folder has not changed. The change time catches tools that set the modification time back.
 */
export type Signature = readonly [size: number, mtimeMs: number, ctimeMs: number, inode: number];

export function signatureOf(stats: Stats): Signature {
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino];
}

export function hasSignature(stats: Stats, [size, mtime, ctime, inode]: Signature): boolean {
  return size === stats.size && mtime === stats.mtimeMs && ctime === stats.ctimeMs && inode === stats.ino;
}

/**
 * Tells whether a signature can be trusted later. A file changed within the clock's last tick may change again without
 * its times showing it; on disks that count whole seconds the tick is that long.
 */
export function isSettled(stats: Stats, now: number): boolean {
  const tick = Number.isInteger(stats.mtimeMs / 1000) ? 2000 : 20;
  return Math.max(stats.mtimeMs, stats.ctimeMs) < now - tick;
}

/** The signatures of some files and folders at one moment. */
export type Signatures = readonly (readonly [path: string, signature: Signature])[];

/**
 * Records the signatures of the sources of something, for a later check whether it still holds. Null where one of them
 * is missing, or has changed since the making began, or so shortly before that it could have changed again unseen; and
 * where something could not be read meanwhile for want of descriptors or the like.
 */
export function signaturesAt(paths: readonly string[], began: number): Signatures | null {
  if (failedSince(began)) return null;
  const signatures: [string, Signature][] = [];
  for (const path of paths) {
    const stats = statOf(path);
    if (!stats.ok || !isSettled(stats.value, began)) return null;
    signatures.push([path, signatureOf(stats.value)]);
  }
  return signatures;
}

/** Tells whether all files and folders still have their recorded signatures. */
export function areUnchanged(signatures: Signatures): boolean {
  return signatures.every(([path, signature]) => {
    const stats = statOf(path);
    return stats.ok && hasSignature(stats.value, signature);
  });
}

/** Signatures as one text, a line for each file and folder: it is read quicker than a thousand small values. */
export function signatureText(paths: readonly string[], began: number): string | null {
  return signaturesAt(paths, began)?.map(lineOf).join('\n') ?? null;
}

/** Tells whether all files and folders of such a text still have the signatures in it. */
export function matchesSignatures(text: string): boolean {
  return text.split('\n').every(isAsSeen);
}

function lineOf([path, signature]: Signatures[number]): string {
  return `${signature.join(' ')} ${path}`;
}

/** Whether a file or folder still has the signature in this line. A line that nobody could have written is never true. */
function isAsSeen(line: string): boolean {
  const [, path] = /^(?:\S+ ){4}(.+)$/.exec(line) ?? [];
  const stats = path === undefined ? null : statOf(path);
  return path !== undefined && stats?.ok === true && lineOf([path, signatureOf(stats.value)]) === line;
}

/** The paths whose signatures vouch for a folder with these files: those of the files, and of the folders they lie in. */
export function everythingIn(folder: string, files: readonly string[]): string[] {
  return [...foldersBelow(folder), ...files.map((path) => below(folder, path))];
}

function foldersBelow(folder: string): string[] {
  const entries = entriesOf(folder);
  const inner = entries.ok ? entries.value.filter((entry) => entry.isDirectory()) : [];
  return [folder, ...inner.flatMap(({ name }) => foldersBelow(below(folder, name)))];
}
