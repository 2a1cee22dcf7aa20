import { readFileSync } from 'node:fs';
import { below } from '../../core/disk/paths.ts';
import { zip } from '../../core/formats/zip.ts';
import { executableMark } from '../../run/policy/digest.ts';
import type { Kept } from './store.ts';

/** The files of a skill as an archive, below a folder or at its root. The same files are always the same bytes. */
export function archiveOf({ folder, files }: Kept, inside: string): Buffer {
  return zip(
    Object.entries(files).map(([path, digest]) => ({
      path: inside === '' ? path : `${inside}/${path}`,
      bytes: readFileSync(below(folder, path)),
      isExecutable: digest.endsWith(executableMark),
    })),
  );
}
