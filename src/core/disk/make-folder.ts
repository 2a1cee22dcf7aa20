import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../errors.ts';
import { isThere } from './files.ts';

/**
 * Creates a folder and its missing parents, for this user alone unless a mode is given. Node can do this in one call,
 * but never returns from it where an existing folder refuses to have another one in it, as `/proc` does.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (isThere(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (reasonOf(error) !== 'EEXIST') throw error; // another process was quicker
  }
}
