import {
  Directory,
  type Fd,
  File,
  type Inode,
  OpenDirectory,
  OpenFile,
  PreopenDirectory,
  wasi,
} from '@bjorn3/browser_wasi_shim';
import type { SurvivedLimit } from '../../ending.ts';
import type { PackedFile } from '../protocol.ts';

/** Bytes that an entry costs beyond its content, so that many empty files are not free either. */
const entryBytes = 4096;
const longestPath = 4096;

/** Bytes that may be written, and bytes that are. */
interface Budget {
  readonly totalBytes: number;
  readonly fileBytes: number;
  /** Bytes claimed, an upper bound of those in use: deletions are only accounted for when there is no more room. */
  claimed: number;
  /** Open files in the order of their descriptors; a deleted file lives on while it is open. */
  open(): readonly (Fd | undefined)[];
  /** Limits at which something was refused. */
  readonly refused: Set<SurvivedLimit>;
  root: Directory;
}

/** Claims bytes and returns true, or returns false if they are not available. */
function claim(budget: Budget, bytes: number): boolean {
  if (budget.claimed + bytes > budget.totalBytes) budget.claimed = inUse(budget);
  if (budget.claimed + bytes > budget.totalBytes) {
    budget.refused.add('scratchBytes');
    return false;
  }
  budget.claimed += bytes;
  return true;
}

function inUse(budget: Budget): number {
  const seen = new Set<Inode>([budget.root]);
  for (const opened of budget.open()) if (opened instanceof ScratchOpenFile) seen.add(opened.file);
  let total = 0;
  // Entries added during the loop are visited as well.
  for (const inode of seen) {
    total += entryBytes + (inode instanceof File ? inode.data.byteLength : 0);
    if (inode instanceof Directory) for (const inner of inode.contents.values()) seen.add(inner);
  }
  return total;
}

class ScratchOpenFile extends OpenFile {
  readonly #budget: Budget;

  constructor(file: File, budget: Budget) {
    super(file);
    this.#budget = budget;
  }

  /** Returns the error number if the file may not reach that far; success if it may. */
  #reach(end: bigint): number {
    if (end > BigInt(this.#budget.fileBytes)) {
      this.#budget.refused.add('fileBytes');
      return wasi.ERRNO_FBIG;
    }
    const more = Number(end) - this.file.data.byteLength;
    return more <= 0 || claim(this.#budget, more) ? wasi.ERRNO_SUCCESS : wasi.ERRNO_NOSPC;
  }

  override fd_allocate(offset: bigint, length: bigint): number {
    return this.#reach(offset + length) || super.fd_allocate(offset, length);
  }

  override fd_filestat_set_size(size: bigint): number {
    return this.#reach(size) || super.fd_filestat_set_size(size);
  }

  override fd_write(data: Uint8Array): { ret: number; nwritten: number } {
    const ret = this.#reach(this.file_pos + BigInt(data.byteLength));
    return ret === wasi.ERRNO_SUCCESS ? super.fd_write(data) : { ret, nwritten: 0 };
  }

  override fd_pwrite(data: Uint8Array, offset: bigint): { ret: number; nwritten: number } {
    const ret = this.#reach(offset + BigInt(data.byteLength));
    return ret === wasi.ERRNO_SUCCESS ? super.fd_pwrite(data, offset) : { ret, nwritten: 0 };
  }
}

class ScratchFile extends File {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    super(new Uint8Array());
    this.#budget = budget;
  }

  override path_open(oflags: number, rights: bigint, flags: number): { ret: number; fd_obj: OpenFile } {
    const { ret, fd_obj } = super.path_open(oflags, rights, flags);
    const opened = new ScratchOpenFile(this, this.#budget);
    opened.file_pos = fd_obj.file_pos;
    return { ret, fd_obj: opened };
  }
}

class ScratchDirectory extends Directory {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    super(new Map());
    this.#budget = budget;
  }

  override create_entry_for_path(path: string, isFolder: boolean): { ret: number; entry: Inode | null } {
    // Names take memory as well, and nothing else keeps a guest from long ones.
    if (path.length > longestPath) return { ret: wasi.ERRNO_NAMETOOLONG, entry: null };
    const names = partsOf(path);
    const name = names.pop();
    const folder = names.reduce<Inode | undefined>(
      (above, part) => (above instanceof Directory ? above.contents.get(part) : undefined),
      this,
    );
    if (name === undefined || !(folder instanceof Directory)) return { ret: wasi.ERRNO_NOENT, entry: null };
    if (folder.contents.has(name)) return { ret: wasi.ERRNO_EXIST, entry: null };
    if (!claim(this.#budget, entryBytes)) return { ret: wasi.ERRNO_NOSPC, entry: null };
    const entry = isFolder ? new ScratchDirectory(this.#budget) : new ScratchFile(this.#budget);
    folder.contents.set(name, entry);
    return { ret: wasi.ERRNO_SUCCESS, entry };
  }
}

/** The parts of a path; the library has verified that it leads nowhere above its folder. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

/** Creates a scratch folder in memory, of limited size, preopened for the guest. */
export function scratchFolder(limits: Pick<Budget, 'totalBytes' | 'fileBytes' | 'open' | 'refused'>): Directory {
  const budget = { ...limits, claimed: entryBytes } as Budget;
  budget.root = new ScratchDirectory(budget);
  return budget.root;
}

export function scratchPreopen(name: string, dir: Directory): PreopenDirectory {
  return Object.assign(new PreopenDirectory(name, new Map()), { dir });
}

// A folder that can be read and not written. The library knows read-only files, but no such folders, and lets even
// those files be resized.

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

/** The folder under the name by which it is preopened for the guest. */
export function fixedPreopen(name: string, dir: Directory): PreopenDirectory {
  return Object.assign(new PreopenDirectory(name, new Map()), refused, { dir });
}

/** Unpacks a folder that was read for us, from the list of its entries and the concatenated bytes of its files. */
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
