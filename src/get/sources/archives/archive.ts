import { closeSync, fstatSync, openSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { readRange } from '../../../core/disk/files.ts';
import { isTar } from '../../../core/formats/tar.ts';
import type { Limits } from '../limits.ts';
import type { Placer } from '../placer.ts';
import { chunksOf, through } from './chunks.ts';
import { extractTar } from './tar.ts';
import { extractZip } from './zip.ts';

/**
 * Places what is in an archive, and returns the paths that it has. What it is, its first bytes say, whatever it is
 * called.
 */
export async function extractArchive(
  file: string,
  placer: Placer,
  limits: Limits,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const descriptor = openSync(file, 'r');
  try {
    const head = readRange(descriptor, 0, 512);
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    if (head.toString('latin1', 0, 2) === 'PK') await extractZip(descriptor, placer, limits, signal);
    else if (isGzip) await extractTar(unzipped(descriptor, placer, limits), placer, limits, signal);
    else if (isTar(head)) await extractTar(chunksOf(descriptor), placer, limits, signal);
    else placer.refuse('', 'this is neither a ZIP archive nor a tar archive, plain or with gzip');
    const { paths } = placer;
    placer.finish();
    return paths;
  } finally {
    closeSync(descriptor);
  }
}

async function* unzipped(descriptor: number, placer: Placer, { ratio, ratioFrom }: Limits): AsyncGenerator<Buffer> {
  const { size } = fstatSync(descriptor);
  const onDamage = (): never => placer.refuse('', 'the archive is damaged, or there is data after its end');
  let grown = 0;
  for await (const chunk of through(chunksOf(descriptor), createGunzip(), onDamage)) {
    grown += chunk.length;
    if (grown > ratioFrom && grown > size * ratio) {
      placer.refuse('', `the archive grows to more than ${ratio} times its size`);
    }
    yield chunk;
  }
}
