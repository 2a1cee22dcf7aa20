import { isAbsolute } from 'node:path';
import { readRegularFile, realPathOrSelf } from '../kernel/files.ts';
import { sha256 } from '../kernel/hash.ts';
import type { FolderDigest } from './digest.ts';
import type { FileDigests } from './types.ts';

const byteLimit = 2 * 1024 * 1024;

/**
 * Counts files that lie outside a skill among those that were granted something: the manifest of a project can say what
 * a skill's tools run, and must not be able to say it differently afterwards. They stand in the list by their whole path.
 */
export function withOutside(known: FolderDigest, outside: FileDigests): FolderDigest {
  const added = Object.entries(outside);
  if (added.length === 0) return known;
  const digest = `sha256:${sha256(JSON.stringify([known.digest, ...added]))}`;
  return { digest, files: { ...known.files, ...outside } };
}

/** The files outside that were counted then, as they are now. */
export function outsideNow(files: FileDigests): FileDigests {
  const paths = Object.keys(files).filter((path) => isAbsolute(path));
  return Object.fromEntries(
    paths.map((path) => {
      const read = readRegularFile(realPathOrSelf(path), byteLimit);
      return [path, digestOutside(read.ok ? read.value.bytes : undefined)];
    }),
  );
}

/** The digest of a file outside by what was read of it; what cannot be read is not what was read at another time. */
export function digestOutside(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? 'unreadable' : `sha256:${sha256(bytes)}`;
}
