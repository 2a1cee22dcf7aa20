import type { Stats } from 'node:fs';
import { statOf } from './files.ts';

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
export type Look = readonly (readonly [path: string, signature: Signature])[];

/**
 * Records the signatures of the sources of something, for a later check whether it still holds. Null where one of them
 * is missing, or has changed since the making began, or so shortly before that it could have changed again unseen.
 */
export function lookAt(paths: readonly string[], began: number): Look | null {
  const look: [string, Signature][] = [];
  for (const path of paths) {
    const stats = statOf(path);
    if (!stats.ok || !isSettled(stats.value, began)) return null;
    look.push([path, signatureOf(stats.value)]);
  }
  return look;
}

/** Tells whether all files and folders still have their recorded signatures. */
export function looksTheSame(look: Look): boolean {
  return look.every(([path, signature]) => {
    const stats = statOf(path);
    return stats.ok && hasSignature(stats.value, signature);
  });
}
