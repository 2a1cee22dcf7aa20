import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from './errors.ts';
import { isThere } from './files.ts';

/**
 * Makes a folder, and those above it where there are none; for ourselves alone unless told otherwise. Node can do this
 * in one call, and never comes back from it where a folder is there and refuses to have another one in it, as `/proc`
 * does.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (isThere(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (reasonOf(error) !== 'EEXIST') throw error; // somebody else was quicker
  }
}
