import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Directory,
  File,
  type Inode,
  OpenDirectory,
  OpenFile,
  PreopenDirectory,
  wasi,
} from '@bjorn3/browser_wasi_shim';

/** How much of a skill is held in memory. */
export const mostBytes = 64 * 1024 * 1024;
export const mostEntries = 10_000;

// A folder that can be read and not written. The library knows files that are read-only, but no such folders, and lets
// even those files be resized.

class FixedOpenFile extends OpenFile {
  override fd_allocate(): number {
    return wasi.ERRNO_ROFS;
  }

  override fd_filestat_set_size(): number {
    return wasi.ERRNO_ROFS;
  }
}

class FixedFile extends File {
  override path_open(oflags: number, rights: bigint, flags: number): { ret: number; fd_obj: OpenFile } {
    const { ret } = super.path_open(oflags, rights, flags);
    return { ret, fd_obj: new FixedOpenFile(this) };
  }
}

class FixedDirectory extends Directory {
  override path_open(): { ret: number; fd_obj: OpenDirectory } {
    return { ret: wasi.ERRNO_SUCCESS, fd_obj: new FixedOpenDirectory(this) };
  }

  override create_entry_for_path(): { ret: number; entry: Inode | null } {
    return { ret: wasi.ERRNO_ROFS, entry: null };
  }
}

const refused = {
  path_link: () => wasi.ERRNO_ROFS,
  path_unlink: () => ({ ret: wasi.ERRNO_ROFS, inode_obj: null }),
  path_unlink_file: () => wasi.ERRNO_ROFS,
  path_remove_directory: () => wasi.ERRNO_ROFS,
};

class FixedOpenDirectory extends OpenDirectory {
  constructor(dir: Directory) {
    super(dir);
    Object.assign(this, refused);
  }
}

/** The folder under a name that the guest begins with. */
export function fixedPreopen(name: string, dir: Directory): PreopenDirectory {
  return Object.assign(new PreopenDirectory(name, new Map()), refused, { dir });
}

/** A folder of the machine with all that is below it, except links. It may not be larger than is bearable. */
export function loadFolder(folder: string): Directory {
  const left = { bytes: mostBytes, entries: mostEntries };
  return loadBelow(folder, left);
}

function loadBelow(folder: string, left: { bytes: number; entries: number }): Directory {
  const contents = new Map<string, Inode>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    left.entries -= 1;
    if (stats.isFile()) left.bytes -= stats.size;
    if (left.entries < 0 || left.bytes < 0) {
      throw new Error(`the skill has more than ${mostEntries} files or ${mostBytes} bytes, too much to hold in memory`);
    }
    if (stats.isDirectory()) contents.set(name, loadBelow(path, left));
    if (stats.isFile()) contents.set(name, new FixedFile(readFileSync(path), { readonly: true }));
  }
  return new FixedDirectory(contents);
}
