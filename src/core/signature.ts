import type { Stats } from 'node:fs';
import { statOf } from './files.ts';

/** What tells that a file or folder has not changed. The change time catches tools that set the modification time back. */
export type Signature = readonly [size: number, mtimeMs: number, ctimeMs: number, inode: number];

export function signatureOf(stats: Stats): Signature {
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino];
}

export function hasSignature(stats: Stats, [size, mtime, ctime, inode]: Signature): boolean {
  return size === stats.size && mtime === stats.mtimeMs && ctime === stats.ctimeMs && inode === stats.ino;
}

/**
 * Whether a signature can be believed later. What changed within the clock's last tick may change again without its
 * times showing it; on disks that count whole seconds the tick is that long.
 */
export function isSettled(stats: Stats, now: number): boolean {
  const tick = Number.isInteger(stats.mtimeMs / 1000) ? 2000 : 20;
  return Math.max(stats.mtimeMs, stats.ctimeMs) < now - tick;
}

/** How some files and folders looked at one moment. */
export type Look = readonly (readonly [path: string, signature: Signature])[];

/**
 * Looks at what something was made of, for those who want to know later whether it still holds. Null where one of them
 * is not there, or has changed since the making began, or so shortly before that it could have changed again unseen.
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

/** Whether everything still looks as it did then. */
export function looksTheSame(look: Look): boolean {
  return look.every(([path, signature]) => {
    const stats = statOf(path);
    return stats.ok && hasSignature(stats.value, signature);
  });
}
