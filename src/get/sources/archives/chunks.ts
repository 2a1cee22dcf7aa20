import { fstatSync } from 'node:fs';
import { Readable, type Transform } from 'node:stream';
import { readRange } from '../../../core/disk/files.ts';

/** Bytes that are read at once. */
const step = 64 * 1024;

/** The bytes of an open file, which stays open whatever becomes of who reads them. */
export function* chunksOf(descriptor: number, start = 0, length = fstatSync(descriptor).size): Generator<Buffer> {
  for (let at = start; at < start + length; at += step) {
    yield readRange(descriptor, at, Math.min(step, start + length - at));
  }
}

/** Bytes as a decompressor makes them of others. Where those are not what it expects, `onDamage` tells what to throw. */
export async function* through(
  chunks: Iterable<Buffer>,
  inflater: Transform,
  onDamage: () => never,
): AsyncGenerator<Buffer> {
  const raw = Readable.from(chunks);
  raw.on('error', (error) => inflater.destroy(error));
  try {
    yield* raw.pipe(inflater) as AsyncIterable<Buffer>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code;
    throw code?.startsWith('Z_') === true ? onDamage() : error;
  } finally {
    raw.destroy();
  }
}
