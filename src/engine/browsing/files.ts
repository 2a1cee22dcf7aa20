import { basename, relative, sep } from 'node:path';
import { statOf } from '../../kernel/files.ts';
import { createSlicer, type Slicer } from '../../kernel/time-slice.ts';
import { digestEntry } from '../../policy/digest-file.ts';
import type { FileDigests } from '../../policy/types.ts';
import { filesOf, type SkillFile } from '../../skill/files.ts';
import type { Skill } from '../../skill/types.ts';
import { locate } from '../contained.ts';
import { fileTypeOf } from '../file-type.ts';

export interface InspectFile {
  /** From the skill's folder; SKILL.md is the first. */
  readonly path: string;
  readonly bytes: number;
  /** `sha256:…`; null where it could not be read. */
  readonly digest: string | null;
  readonly mimeType: string;
}

export interface Files {
  readonly files: readonly InspectFile[];
  readonly refused: readonly string[];
}

/** Where the files as a whole are too much to digest, so much of them is still read for the digests of single ones. */
const mostBytes = 16 * 1024 * 1024;

/** The files of a skill, given the digests of all that lie in its folder; null where these could not be made. */
export async function inspectFiles(skill: Skill, digests: FileDigests | null): Promise<Files> {
  const own = basename(skill.file);
  const { files, refused } = filesOf(skill.id, own);
  const digestOf = digests === null ? readingDigests() : async (path: string) => known(digests, path);
  const found: InspectFile[] = [];
  for (const { path, bytes } of [{ path: 'SKILL.md', bytes: sizeOf(skill) }, ...withoutSecond(files)]) {
    const place = locate(skill, path);
    // What a link leads to is what is read; a digest of the link itself would tell nothing.
    const digest = place.ok ? await digestOf(relative(skill.id, place.real).replaceAll(sep, '/'), place.real) : null;
    found.push({ path, bytes, digest, mimeType: fileTypeOf(skill, path) });
  }
  return { files: found, refused };
}

/** Where SKILL.md is written in other letters, another file may have that name; only one of them can be asked for. */
function withoutSecond(files: readonly SkillFile[]): readonly SkillFile[] {
  return files.filter(({ path }) => path !== 'SKILL.md');
}

function sizeOf({ file }: Skill): number {
  const stats = statOf(file);
  return stats.ok ? stats.value.size : 0;
}

/** The digest of a file's bytes, without the word that tells whether it can be executed. */
function known(digests: FileDigests, path: string): string | null {
  const digest = Object.hasOwn(digests, path) ? (digests[path] as string) : '';
  return bytesOnly(digest);
}

function bytesOnly(digest: string): string | null {
  return digest.startsWith('sha256:') ? (digest.split(' ')[0] as string) : null;
}

/** Digests files one by one, as far as they can be read and are not too much. */
function readingDigests(): (path: string, real: string) => Promise<string | null> {
  const slicer: Slicer = createSlicer();
  let left = mostBytes;
  return async (_path, real) => {
    try {
      const { digest, bytes } = await digestEntry(real, left, slicer);
      if (digest !== '') left -= bytes;
      return bytesOnly(digest);
    } catch {
      return null;
    }
  };
}
