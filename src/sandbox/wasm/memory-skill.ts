import {
  Directory,
  File,
  type Inode,
  OpenDirectory,
  OpenFile,
  PreopenDirectory,
  wasi,
} from '@bjorn3/browser_wasi_shim';
import type { PackedFile } from './protocol.ts';

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

/** The folder that was read for us, from the list of what is in it and the bytes of its files in a row. */
export function unpackFolder(files: readonly PackedFile[], bytes: Uint8Array): Directory {
  const root = new FixedDirectory(new Map());
  let at = 0;
  for (const { path, length } of files) {
    const name = path.at(-1) ?? '';
    const parent = path.slice(0, -1).reduce<Inode | undefined>(childOf, root);
    if (!(parent instanceof Directory)) throw new Error('the folder of the skill has changed');
    const data = bytes.subarray(at, at + (length ?? 0));
    at += data.length;
    parent.contents.set(
      name,
      length === null ? new FixedDirectory(new Map()) : new FixedFile(data, { readonly: true }),
    );
  }
  return root;
}

function childOf(folder: Inode | undefined, name: string): Inode | undefined {
  return folder instanceof Directory ? folder.contents.get(name) : undefined;
}
