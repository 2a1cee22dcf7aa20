import { closeSync, constants, fchmodSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { isAbsent, readRegularFile } from '../kernel/files.ts';
import { shortOfSpace } from './failure.ts';
import type { Key } from './key.ts';
import type { Link } from './types.ts';

/**
 * How far the log had come. A log that was cut off is a valid chain still, only shorter: this small file beside its
 * folder tells. It is written in place, within one sector, so that it is never half old and half new.
 */
export type Head = { readonly state: 'absent' | 'forged' } | ({ readonly state: 'sound' } & Link);

const size = 256;
const form = /^(\d{1,16}) ([0-9a-f]{64}) ([0-9a-f]{64}) *\n$/;

export function readHead(path: string, key: Key | null): Head {
  const file = readRegularFile(path, size);
  if (!file.ok) return { state: isAbsent(file.reason) ? 'absent' : 'forged' };
  const { bytes } = file.value;
  if (bytes.length === 0) return { state: 'absent' }; // made, and never written
  const [, seq = '', hash = '', mac = ''] = form.exec(bytes.toString('latin1')) ?? [];
  const link = { seq: Number(seq), hash };
  return hash !== '' && key?.mac('head', link) === mac ? { state: 'sound', ...link } : { state: 'forged' };
}

export interface HeadWriter {
  write(link: Link): void;
  sync(): void;
  close(): void;
}

export function openHead(path: string, key: Key): HeadWriter {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, 0o600);
  fchmodSync(descriptor, 0o600);
  return {
    write(link) {
      const text = `${link.seq} ${link.hash} ${key.mac('head', link)}`.padEnd(size - 1);
      if (writeSync(descriptor, `${text}\n`, 0, 'latin1') !== size) throw shortOfSpace();
    },
    sync: () => fdatasyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
}
