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
export function withOutside(known: FolderDigest, outside: readonly string[]): FolderDigest {
  if (outside.length === 0) return known;
  const added = outside.map((file) => [file, digestOf(file)] as const);
  const digest = `sha256:${sha256(JSON.stringify([known.digest, ...added]))}`;
  return { digest, files: { ...known.files, ...Object.fromEntries(added) } };
}

/** The files outside that were counted then. */
export function outsideIn(files: FileDigests): string[] {
  return Object.keys(files).filter((path) => isAbsolute(path));
}

/** What cannot be read now is not what was read then. */
function digestOf(file: string): string {
  const read = readRegularFile(realPathOrSelf(file), byteLimit);
  return read.ok ? `sha256:${sha256(read.value.bytes)}` : `unreadable:${read.reason}`;
}
