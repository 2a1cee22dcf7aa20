import { readSync } from 'node:fs';
import { Fd, wasi } from '@bjorn3/browser_wasi_shim';
import { writeAll } from './inside.ts';

/** Standard input of this process, as the guest's. */
export class Input extends Fd {
  override fd_read(size: number): { ret: number; data: Uint8Array } {
    const data = Buffer.allocUnsafe(Math.min(size, 65_536));
    return { ret: wasi.ERRNO_SUCCESS, data: data.subarray(0, readSync(0, data)) };
  }

  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return { ret: wasi.ERRNO_SUCCESS, fdstat: statOf(wasi.RIGHTS_FD_READ) };
  }
}

/** Standard output or standard error. */
export class Output extends Fd {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  override fd_write(data: Uint8Array): { ret: number; nwritten: number } {
    writeAll(this.#descriptor, data);
    return { ret: wasi.ERRNO_SUCCESS, nwritten: data.length };
  }

  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return { ret: wasi.ERRNO_SUCCESS, fdstat: statOf(wasi.RIGHTS_FD_WRITE) };
  }
}

function statOf(rights: number): wasi.Fdstat {
  const stat = new wasi.Fdstat(wasi.FILETYPE_CHARACTER_DEVICE, 0);
  stat.fs_rights_base = BigInt(rights);
  return stat;
}
