import { closeSync, openSync, readSync } from 'node:fs';

const programInterpreter = 3;

/**
 * The loader that a program names as its own: it must be there under that very name for the program to start. Null for
 * a program that needs none, and for what is no 64-bit ELF file.
 */
export function loaderOf(file: string): string | null {
  const descriptor = openSync(file, 'r');
  const read = (length: number, position: number) => {
    const bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, position);
    return bytes;
  };
  try {
    return loaderIn(read);
  } finally {
    closeSync(descriptor);
  }
}

function loaderIn(read: (length: number, position: number) => Buffer): string | null {
  const head = read(64, 0);
  const [is64, isLittle] = [head[4] === 2, head[5] === 1];
  if (head.toString('latin1', 0, 4) !== '\x7fELF' || !is64 || !isLittle) return null;
  const table = Number(head.readBigUInt64LE(32));
  const size = head.readUInt16LE(54);
  const count = head.readUInt16LE(56);
  for (let at = 0; at < count; at++) {
    const entry = read(56, table + at * size);
    if (entry.readUInt32LE(0) !== programInterpreter) continue;
    const path = read(Math.min(Number(entry.readBigUInt64LE(32)), 4096), Number(entry.readBigUInt64LE(8)));
    return path.toString('utf8').replace(/\0.*$/s, '');
  }
  return null;
}
