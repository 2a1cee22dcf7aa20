import { join } from 'node:path';
import { readRegularFile } from '../../core/disk/files.ts';
import { unifiedDiff } from '../../core/text/diff.ts';
import { byText } from '../../core/text/text.ts';
import type { Planned } from '../../get/install/plan.ts';

/** Bytes of the longest file that is compared, and characters of the longest diff: nobody reads more. */
const [mostBytes, mostCharacters] = [200_000, 1_000_000];

/** The change that a plan makes to the files of a skill, as `diff -u` writes it: all of them, where it is new. */
export function fileDiff({ folder, incoming, action }: Planned): string {
  if (incoming === null || action === 'none' || action === 'adopt') return '';
  const parts: string[] = [];
  let length = 0;
  for (const path of Object.keys(incoming.kept.files).sort(byText)) {
    if (length > mostCharacters) break;
    const [before, after] = [textOf(folder, path), textOf(incoming.kept.folder, path)];
    if (before === after) continue;
    const part =
      after === undefined ? `--- ${path}\n+++ ${path}\n@@ -0,0 +1 @@\n+(not text)\n` : told(before, after, path);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

function told(before: string | null | undefined, after: string | null, path: string): string {
  return unifiedDiff(before ?? null, after, path);
}

/** The text of a file; null where there is none, undefined where it is no text or too long. */
function textOf(folder: string, path: string): string | null | undefined {
  const read = readRegularFile(join(folder, path), mostBytes);
  if (!read.ok) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read.value.bytes);
  } catch {
    return undefined;
  }
}
